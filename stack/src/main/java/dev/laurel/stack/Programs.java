package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Programs of servers, which come packed in jars. Whoever needs one first unpacks it, for all
 * others. Processes may die at any moment of that, and several may come at once: the work is done
 * under a lock, in a folder that gets its name when it is whole.
 */
final class Programs {
  /** What is in a whole folder: a line for each file, with its size. */
  private static final String CONTENT = ".content";

  private final Path cache;

  Programs(Path cache) {
    this.cache = cache;
  }

  /** Beside the classes or the jar of this module: {@code target} in a checkout. */
  static Programs besideClasses() {
    try {
      URL classes = Programs.class.getProtectionDomain().getCodeSource().getLocation();
      return new Programs(Path.of(classes.toURI()).resolveSibling("programs"));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How a program gets into an empty folder. */
  interface Unpacking {
    void into(Path folder) throws IOException;
  }

  /** The folder with all that the packed resource holds. */
  Path unpacked(String resource, Unpacking unpacking) {
    try {
      Path folder = cache.resolve(versioned(resource));
      if (!isWhole(folder)) {
        unpack(folder, unpacking);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + resource + " into " + cache, e);
    }
  }

  /** A newer jar brings the same name with another content. */
  private static String versioned(String resource) throws IOException {
    URL url = Programs.class.getResource("/" + resource);
    if (url == null) {
      throw new IllegalStateException("no program for this machine: " + resource);
    }
    URLConnection connection = url.openConnection();
    long content =
        connection instanceof JarURLConnection jar
            ? jar.getJarEntry().getCrc()
            : connection.getContentLengthLong();
    return resource + "-" + Long.toHexString(content);
  }

  private void unpack(Path folder, Unpacking unpacking) throws IOException {
    Files.createDirectories(cache);
    Path lock = cache.resolve(folder.getFileName() + ".lock");
    // The file keeps other processes out, and the class other threads: they share a file's lock.
    synchronized (Programs.class) {
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        if (isWhole(folder)) {
          return; // by the one that had the lock before
        }
        Path part = cache.resolve(folder.getFileName() + ".part");
        Folders.remove(part); // of one that died
        Folders.remove(folder); // somebody took files away
        Files.createDirectory(part);
        unpacking.into(part);
        Files.write(part.resolve(CONTENT), content(part));
        Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static List<String> content(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.add(Files.size(file) + " " + folder.relativize(file));
      }
      return lines;
    }
  }

  /** Its name alone says so, unless the machine lost its power or somebody deleted in it. */
  private static boolean isWhole(Path folder) throws IOException {
    Path content = folder.resolve(CONTENT);
    if (!Files.exists(content)) {
      return false;
    }
    List<String> lines = Files.readAllLines(content);
    for (String line : lines) {
      int end = line.indexOf(' ');
      Path file = folder.resolve(line.substring(end + 1));
      if (end < 0
          || !Files.isRegularFile(file)
          || Files.size(file) != Long.parseLong(line.substring(0, end))) {
        return false;
      }
    }
    return !lines.isEmpty();
  }

  /** As in the names of packed programs. */
  static String system() {
    return System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
  }

  /** As opposed to Intel's. */
  static boolean isArm() {
    return System.getProperty("os.arch").toLowerCase(Locale.ROOT).matches("aarch64|arm64");
  }
}
