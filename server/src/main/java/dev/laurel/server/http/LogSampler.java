package dev.laurel.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Keeps a log readable while the same thing happens thousands of times a second: of each kind the
 * first few lines in a while are written, the others are counted. Thread-safe.
 */
public final class LogSampler {
  /** What was left out is told with the next line of its kind, or when the while is over. */
  public static final int LEFT_OUT = -1;

  private final int most;
  private final long whileNanos;
  private final Map<String, Window> kinds = new ConcurrentHashMap<>();

  private static final class Window {
    long begin;
    int written;
    int leftOut;
  }

  /**
   * @param most lines of a kind in a while
   */
  public LogSampler(int most, Duration aWhile) {
    this.most = most;
    this.whileNanos = aWhile.toNanos();
  }

  /** How many were left out before this line; {@link #LEFT_OUT} if it is left out itself. */
  public int take(String kind, long now) {
    Window window = kinds.computeIfAbsent(kind, _ -> new Window());
    synchronized (window) {
      int before = 0;
      if (window.written == 0 || now - window.begin >= whileNanos) {
        before = window.leftOut;
        window.begin = now;
        window.written = 0;
        window.leftOut = 0;
      }
      if (window.written == most) {
        window.leftOut++;
        return LEFT_OUT;
      }
      window.written++;
      return before;
    }
  }

  /** Tells what was left out of whiles that are over, and forgets it. */
  void flush(long now, BiConsumer<String, Integer> told) {
    kinds.forEach(
        (kind, window) -> {
          int left = 0;
          synchronized (window) {
            if (window.leftOut > 0 && now - window.begin >= whileNanos) {
              left = window.leftOut;
              window.leftOut = 0;
              window.written = 0;
            }
          }
          if (left > 0) {
            told.accept(kind, left);
          }
        });
  }
}
