package dev.laurel.benchmarks.attacks;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A caller of a tenant that does nothing wrong, and what it notices. For one thread. */
final class Honest implements AutoCloseable {
  static final String BOARD = "/api/v1/leaderboards/fair";
  static final int USERS = 1000;

  private final int port;
  private final String key;
  private @Nullable Wire wire;

  Honest(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /** What a phase of the attacks did to those who are honest. */
  static final class Noticed {
    final Durations reads = new Durations();
    final Durations writes = new Durations();
    final Durations health = new Durations();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong healthFailures = new AtomicLong();
  }

  void read(Noticed noticed) {
    int user = ThreadLocalRandom.current().nextInt(USERS);
    String path =
        switch (user % 3) {
          case 0 -> "/top?limit=20";
          case 1 -> "/users/u" + user + "/rank";
          default -> "/users/u" + user + "/around";
        };
    timed(noticed, noticed.reads, "GET", path, "");
  }

  void write(Noticed noticed) {
    int user = ThreadLocalRandom.current().nextInt(USERS);
    timed(noticed, noticed.writes, "PUT", "/users/u" + user, "{\"score\":1}");
  }

  private void timed(Noticed noticed, Durations into, String method, String path, String json) {
    long begin = System.nanoTime();
    boolean good = false;
    try {
      Wire open = wire;
      if (open == null) {
        open = new Wire("127.0.0.1", port);
        wire = open;
      }
      good = open.call(method, BOARD + path, key, json).status() == 200;
      if (open.isClosing()) {
        close();
      }
    } catch (IOException e) {
      close();
    }
    into.add(System.nanoTime() - begin);
    if (!good) {
      noticed.refused.incrementAndGet();
    }
  }

  /** Each time on a connection of its own, as an orchestrator does it. */
  static void probe(int port, Noticed noticed) {
    long begin = System.nanoTime();
    try (Wire probe = new Wire("127.0.0.1", port)) {
      if (probe.call("GET", "/api/v1/health", "", "").status() != 200) {
        noticed.healthFailures.incrementAndGet();
      }
    } catch (IOException e) {
      noticed.healthFailures.incrementAndGet();
    }
    noticed.health.add(System.nanoTime() - begin);
  }

  @Override
  public void close() {
    Wire open = wire;
    wire = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // It is over either way.
      }
    }
  }
}
