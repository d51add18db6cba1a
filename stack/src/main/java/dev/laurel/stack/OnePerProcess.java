package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** Starts a server for all tests of a process, in a folder that goes when the process does. */
final class OnePerProcess {
  private OnePerProcess() {}

  /**
   * @param kill an orderly end would first write everything of all tests to disk
   */
  static <S> S start(String name, Function<Path, S> start, Consumer<S> kill) {
    try {
      Path folder = Files.createTempDirectory("laurel-" + name);
      S server = start.apply(folder);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    kill.accept(server);
                    remove(folder);
                  }));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * By a process that goes on after this one: a database a test is many thousands of files, and
   * whoever waits for the end of this one may not wait so long.
   */
  private static void remove(Path folder) {
    try {
      new ProcessBuilder("rm", "-rf", folder.toString()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
