import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Formats every Java file of the repository, or checks that it is formatted. Maven runs it on the
 * toolchain's JDK, because a formatter inside Maven's own JVM (17 on many machines) cannot parse
 * the sources.
 *
 * <p>{@code mvn validate} checks, {@code mvn validate -Dformat=write} writes.
 */
class Format {
  static final Formatter FORMATTER = new Formatter(JavaFormatterOptions.defaultOptions());

  public static void main(String[] args) throws Exception {
    boolean write = args[1].equals("write");
    List<Path> files;
    try (var walk = Files.walk(Path.of(args[0]))) {
      files =
          walk.filter(p -> p.toString().endsWith(".java") && !p.toString().contains("/target/"))
              .toList();
    }
    var wrong = files.parallelStream().filter(p -> !isFormatted(p, write)).sorted().toList();
    wrong.forEach(p -> System.err.println((write ? "formatted: " : "not formatted: ") + p));
    if (!write && !wrong.isEmpty()) {
      System.err.println("To format: mvn validate -Dformat=write -N");
      System.exit(1);
    }
  }

  static boolean isFormatted(Path path, boolean write) {
    try {
      String before = Files.readString(path);
      String after =
          FORMATTER.formatSource(
              RemoveUnusedImports.removeUnusedImports(
                  ImportOrderer.reorderImports(before, JavaFormatterOptions.Style.GOOGLE)));
      if (write && !after.equals(before)) {
        Files.writeString(path, after);
      }
      return after.equals(before);
    } catch (Exception e) {
      throw new IllegalStateException(path + ": " + e.getMessage(), e);
    }
  }
}
