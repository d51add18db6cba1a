package dev.laurel.server.kill;

import dev.laurel.server.Scrape;

/**
 * What the metrics of a node show while something fails.
 *
 * @param clears whether it is gone once nothing fails any more
 */
record Signal(String name, Seen seen, boolean clears) {
  /** Compares what was before the fault with what is now. */
  interface Seen {
    boolean in(Scrape before, Scrape now);
  }

  /** A gauge has at least this value. */
  static Signal gauge(String series, double least) {
    return new Signal(series, (_, now) -> now.value(series) >= least, true);
  }

  /** A counter has grown. */
  static Signal grows(String series) {
    return new Signal(series, (before, now) -> now.value(series) > before.value(series), false);
  }

  /** What a summary of milliseconds was told since is more than this, on average. */
  static Signal slow(String summary, double millis) {
    return new Signal(
        summary,
        (before, now) -> {
          double count = now.value(summary + "_count") - before.value(summary + "_count");
          double sum = now.value(summary + "_sum") - before.value(summary + "_sum");
          return count > 0 && sum / count > millis;
        },
        false);
  }
}
