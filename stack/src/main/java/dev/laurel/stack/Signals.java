package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Signals to processes, for those that Java cannot send. */
public final class Signals {
  private Signals() {}

  /** Holds processes still, as a machine that swaps or a network that is cut does. */
  public static void pause(List<Long> pids) {
    send("-STOP", pids);
  }

  /** Lets them go on. */
  public static void resume(List<Long> pids) {
    send("-CONT", pids);
  }

  private static void send(String signal, List<Long> pids) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    try {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IllegalStateException(command + ": exit code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
