package dev.laurel.server.http;

import dev.laurel.server.settings.AccessLogMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for each request, or for each that failed. It has the route's template and not the path:
 * paths hold user ids, queries hold tickets.
 */
final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("laurel.access");

  private final int fromStatus;

  AccessLog(AccessLogMode mode) {
    fromStatus =
        switch (mode) {
          case OFF -> Integer.MAX_VALUE;
          case ERRORS -> 500;
          case ALL -> 0;
        };
  }

  void ended(Exchange exchange, int status, long nanos) {
    if (status < fromStatus) {
      return;
    }
    LOG.atInfo()
        .addKeyValue("requestId", exchange.requestId())
        .addKeyValue("method", exchange.route().method().name())
        .addKeyValue("route", exchange.route().template())
        .addKeyValue("status", status)
        .addKeyValue("micros", nanos / 1000)
        .log("request");
  }
}
