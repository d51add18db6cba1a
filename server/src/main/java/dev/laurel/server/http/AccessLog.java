package dev.laurel.server.http;

import dev.laurel.core.model.Rejection;
import dev.laurel.server.settings.AccessLogMode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A line for each request, or for each that failed on our side: then with the code of the refusal,
 * and with the cause if nobody foresaw it. It has the route's template and not the path: paths hold
 * user ids, queries hold tickets. Thread-safe.
 *
 * <p>A server that is overloaded refuses thousands of requests a second: of those that failed, some
 * of each kind are logged, and how many were left out.
 */
final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("laurel.access");
  private static final int LINES = 10;
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final int fromStatus;
  private final boolean everything;
  private final LogSampler sampler = new LogSampler(LINES, A_WHILE);

  AccessLog(AccessLogMode mode) {
    everything = mode == AccessLogMode.ALL;
    fromStatus =
        switch (mode) {
          case OFF -> Integer.MAX_VALUE;
          case ERRORS -> 500;
          case ALL -> 0;
        };
  }

  /** What nobody foresaw is logged in every mode. */
  void ended(Exchange exchange, int status, long nanos) {
    if (status < fromStatus && exchange.failure == null) {
      return;
    }
    int leftOut = 0;
    if (!everything) {
      leftOut = sampler.take(kind(exchange, status), System.nanoTime());
      if (leftOut == LogSampler.LEFT_OUT) {
        return;
      }
    }
    LoggingEventBuilder line =
        LOG.atLevel(status < 500 ? Level.INFO : status == 500 ? Level.ERROR : Level.WARN)
            .addKeyValue("requestId", exchange.requestId())
            .addKeyValue("method", exchange.route().method().name())
            .addKeyValue("route", exchange.route().template())
            .addKeyValue("status", status)
            .addKeyValue("micros", nanos / 1000);
    Rejection rejection = exchange.rejection;
    if (rejection != null && status >= 500) {
      line = line.addKeyValue("code", rejection.code()).addKeyValue("why", rejection.message());
    }
    if (leftOut > 0) {
      line = line.addKeyValue("leftOut", leftOut);
    }
    if (exchange.failure != null) {
      line = line.setCause(exchange.failure);
    }
    line.log(exchange.failure == null ? "request" : "unexpected failure");
  }

  private static String kind(Exchange exchange, int status) {
    Rejection rejection = exchange.rejection;
    return (rejection == null ? Integer.toString(status) : rejection.code().name())
        + " "
        + exchange.route().template();
  }

  /** Now and then: says what was left out of what has ended meanwhile. */
  void flush() {
    sampler.flush(
        System.nanoTime(),
        (kind, count) ->
            LOG.atWarn()
                .addKeyValue("kind", kind)
                .addKeyValue("leftOut", count)
                .log("requests that failed were not logged one by one"));
  }
}
