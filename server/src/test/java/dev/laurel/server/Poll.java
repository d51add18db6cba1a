package dev.laurel.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a state, with a deadline that only says that it never comes: machines are slow. */
public final class Poll {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Poll() {}

  public static void until(String what, BooleanSupplier reached) {
    until(what, PATIENCE, reached);
  }

  public static void until(String what, Duration patience, BooleanSupplier reached) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + patience + ": " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
