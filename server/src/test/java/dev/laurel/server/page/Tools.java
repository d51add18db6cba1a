package dev.laurel.server.page;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Programs of the machine that tests of pages and of the TypeScript client need. */
public final class Tools {
  private Tools() {}

  /** Node, which also drives the browser. */
  public static Path node() {
    return require("node", "Node 18 or later: apt-get install nodejs");
  }

  public static Path chromium() {
    String given = System.getenv("LAUREL_CHROMIUM");
    return given != null
        ? Path.of(given)
        : require("chromium", "Chromium: apt-get install chromium, or its path in LAUREL_CHROMIUM");
  }

  private static Path require(String name, String expected) {
    Path found = find(name);
    if (found == null) {
      throw new AssertionError(name + ": not on the PATH (expected: " + expected + ")");
    }
    return found;
  }

  private static @Nullable Path find(String name) {
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
      Path file = Path.of(folder, name);
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }
}
