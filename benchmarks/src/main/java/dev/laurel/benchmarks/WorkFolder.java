package dev.laurel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The folder of one run, which goes with all that is in it. */
public record WorkFolder(Path path) implements AutoCloseable {
  public static WorkFolder create(String name) throws IOException {
    return new WorkFolder(Files.createTempDirectory(name));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
