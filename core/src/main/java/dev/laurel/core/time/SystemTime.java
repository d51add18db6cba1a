package dev.laurel.core.time;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of this machine. {@link System#nanoTime} stands still while the machine sleeps, so
 * that a sleep would look like a jump of the time of day. Linux also tells how long ago it was
 * started, sleep included; elsewhere that is not known. Thread-safe.
 */
final class SystemTime implements TimeSource {
  static final SystemTime INSTANCE = new SystemTime(Path.of("/proc/uptime"));

  /** How often the file is read; it has hundredths of a second. */
  private static final long LOOK_MILLIS = 500;

  /** Less is how inexact the file is, and nobody sleeps so short. */
  private static final long SHORTEST_SLEEP = TimeUnit.SECONDS.toNanos(2);

  private final Path uptime;

  /** Of the time since the start, what {@code nanoTime} does not have. */
  private final long atFirst;

  private volatile Slept slept;

  /** How long it was, and when that was looked at by both clocks. */
  private record Slept(long nanos, long lookedAt, long lookedAtMillis) {}

  SystemTime(Path uptime) {
    this.uptime = uptime;
    this.atFirst = beside(0);
    this.slept = new Slept(0, System.nanoTime(), System.currentTimeMillis());
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanos() {
    long now = System.nanoTime();
    long millis = System.currentTimeMillis();
    Slept known = slept;
    // By the time of day too: after a sleep it has moved on, and the other one has not.
    if (Math.abs(millis - known.lookedAtMillis) > LOOK_MILLIS
        || now - known.lookedAt > TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
      known = look(millis);
    }
    return now + known.nanos;
  }

  private synchronized Slept look(long millis) {
    long more = beside(atFirst) - atFirst;
    long nanos = more - slept.nanos > SHORTEST_SLEEP ? more : slept.nanos;
    Slept now = new Slept(nanos, System.nanoTime(), millis);
    slept = now;
    return now;
  }

  /**
   * What the system's own count is ahead of {@code nanoTime}.
   *
   * @param otherwise where there is none
   */
  private long beside(long otherwise) {
    try {
      String text = Files.readString(uptime, StandardCharsets.US_ASCII);
      double seconds = Double.parseDouble(text.substring(0, text.indexOf(' ')));
      return (long) (seconds * 1e9) - System.nanoTime();
    } catch (IOException | RuntimeException e) {
      return otherwise;
    }
  }
}
