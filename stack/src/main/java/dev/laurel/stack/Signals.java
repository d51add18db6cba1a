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

  /** As the keys Ctrl and C do. */
  static void interrupt(long pid) {
    send("-INT", List.of(pid));
  }

  /** For PostgreSQL: end at once, and leave the work to the next start. */
  static void quit(long pid) {
    send("-QUIT", List.of(pid));
  }

  /** Those that have ended since they were listed get nothing, and need nothing. */
  private static void send(String signal, List<Long> pids) {
    List<Long> alive = pids;
    while (!kill(signal, alive)) {
      List<Long> still = alive.stream().filter(pid -> ProcessHandle.of(pid).isPresent()).toList();
      if (still.size() == alive.size()) {
        throw new IllegalStateException("kill " + signal + " " + alive + " failed");
      }
      alive = still;
    }
  }

  private static boolean kill(String signal, List<Long> pids) {
    if (pids.isEmpty()) {
      return true;
    }
    List<String> command = new ArrayList<>(List.of("kill", signal));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
