package dev.laurel.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first start on a machine, and what may go wrong in it. */
class ProgramsTest {
  @TempDir Path cache = Path.of("");

  /** A process that needs PostgreSQL and nothing else. */
  static final class First {
    private First() {}

    public static void main(String[] args) {
      System.out.println(version(Path.of(args[0])));
    }
  }

  private static String version(Path cache) {
    return new PostgresPrograms(new Programs(cache)).run("postgres", "--version");
  }

  /** With the heap that the supervisor of {@code laurel stack} has. */
  private Process first() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            First.class.getName(),
            cache.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void unpacked_twoProcessesAtOnceWithASmallHeap_bothRunIt() throws Exception {
    List<Process> both = List.of(first(), first());
    for (Process process : both) {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).isZero();
      assertThat(said).startsWith("postgres (PostgreSQL) ");
    }
    assertThat(folders()).hasSize(1);
  }

  @Test
  void unpacked_afterAProcessThatWasKilledInTheMiddle_isWhole() throws Exception {
    Process killed = first();
    await(() -> countFiles() >= 20);
    killed.destroyForcibly();
    assertThat(killed.waitFor(1, TimeUnit.MINUTES)).isTrue();

    assertThat(version(cache)).startsWith("postgres (PostgreSQL) ");
    assertThat(folders()).as("what is left of the other").hasSize(1);
  }

  @Test
  void unpacked_whereAFileIsGoneOrShort_isRepaired() throws Exception {
    version(cache);
    Path program = folders().getFirst().resolve("bin").resolve("postgres");
    long whole = Files.size(program);

    Files.write(program, new byte[1000]);
    assertThat(version(cache)).startsWith("postgres (PostgreSQL) ");
    assertThat(program).hasSize(whole);

    Files.delete(program);
    assertThat(version(cache)).startsWith("postgres (PostgreSQL) ");
    assertThat(program).hasSize(whole);
  }

  private List<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(Files::isDirectory).toList();
    }
  }

  private long countFiles() throws IOException {
    try (Stream<Path> files = Files.find(cache, 20, (_, file) -> file.isRegularFile())) {
      return files.count();
    } catch (java.io.UncheckedIOException e) {
      return 0; // moved under our feet
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
