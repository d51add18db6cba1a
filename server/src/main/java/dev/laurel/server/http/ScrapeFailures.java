package dev.laurel.server.http;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of metrics that could not be read: once in a while for each place in the code, as every
 * scrape would meet the same one again. Thread-safe.
 */
final class ScrapeFailures implements Consumer<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(ScrapeFailures.class);

  private final LogSampler sampler = new LogSampler(1, Duration.ofMinutes(10));

  @Override
  public void accept(Throwable cause) {
    if (isDue(cause, System.nanoTime())) {
      LOG.atError().setCause(cause).log("a metric could not be read; the others are scraped");
    }
  }

  boolean isDue(Throwable cause, long now) {
    return sampler.take(place(cause), now) != LogSampler.LEFT_OUT;
  }

  /** Not the message: it may be another one every time, and each kind takes memory. */
  private static String place(Throwable cause) {
    StackTraceElement[] trace = cause.getStackTrace();
    String type = cause.getClass().getName();
    return trace.length == 0 ? type : type + " at " + trace[0];
  }
}
