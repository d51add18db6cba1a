package dev.laurel.benchmarks.attacks;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The server, as those who attack it see it: each connection is from another address than that of
 * honest callers.
 *
 * @param key of the tenant that attacks
 */
record Target(int port, String key, BooleanSupplier over) {
  /** Of the board that the tenant attacks with. */
  static final int USERS = 20_000;

  Wire tenant() throws IOException {
    return new Wire("127.0.0." + (2 + ThreadLocalRandom.current().nextInt(8)), port);
  }

  Wire stranger() throws IOException {
    return new Wire("127.0.1." + (2 + ThreadLocalRandom.current().nextInt(64)), port);
  }

  boolean isOver() {
    return over.getAsBoolean();
  }

  void pause(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    try {
      while (!isOver() && System.nanoTime() < end) {
        Thread.sleep(Math.min(100, millis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
