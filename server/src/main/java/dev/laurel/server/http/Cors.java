package dev.laurel.server.http;

import dev.laurel.core.access.Origins;
import dev.laurel.core.access.Principal;
import dev.laurel.core.store.Tenant;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * Tells browsers which answers the pages of other origins may read: those that are about a tenant
 * which allows the origin. Never with credentials, which are cookies: Laurel has none, and a token
 * is sent by the page itself. Routes for services are never for browsers. Scripts of pages are for
 * every origin: they are nobody's data, and a site loads them before any tenant is asked.
 *
 * <p>Whose data it will be is known once the caller is. A preflight has none, and an error is
 * nobody's data; there it is enough that some tenant allows the origin.
 */
public record Cors(Origins origins) {
  private static final CharSequence ALLOW_ORIGIN =
      HttpHeaders.createOptimized("access-control-allow-origin");
  private static final CharSequence EXPOSE_HEADERS =
      HttpHeaders.createOptimized("access-control-expose-headers");
  private static final CharSequence EXPOSED =
      HttpHeaders.createOptimized(
          "etag,idempotent-replayed,laurel-degraded,laurel-source,ratelimit-limit,ratelimit-remaining,"
              + "ratelimit-reset,retry-after,x-request-id");
  private static final String SENT =
      "authorization,cache-control,content-type,idempotency-key,if-match,last-event-id,x-api-key,"
          + "x-request-id";
  private static final String MAX_AGE_SECONDS = "7200";

  /** For an answer that is the same for everyone, and that every site may use. */
  static void everyone(Exchange exchange) {
    exchange.header(ALLOW_ORIGIN, "*");
  }

  /** The headers of an answer that is ready. */
  void addTo(MultiMap headers, Exchange exchange) {
    String origin = exchange.header(HttpHeaders.ORIGIN);
    if (origin == null || HttpMethod.OPTIONS.equals(exchange.method())) {
      return;
    }
    if (exchange.says(ALLOW_ORIGIN)) {
      return;
    }
    headers.add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    if (allows(exchange, origin)) {
      headers.add(ALLOW_ORIGIN, origin);
      headers.add(EXPOSE_HEADERS, EXPOSED);
    }
  }

  private boolean allows(Exchange exchange, String origin) {
    Access access = exchange.route.access();
    if (access.isForServices()) {
      return false;
    }
    if (access == Access.PUBLIC || exchange.status >= 400) {
      return origins.anyAllows(origin);
    }
    String asked = exchange.query("tenant");
    Principal principal = exchange.principal;
    return asked != null
        ? origins.allows(asked, origin)
        : origins.allows(principal == null ? Tenant.DEFAULT : principal.tenant(), origin);
  }

  /**
   * Adds what a browser asks before it sends a request that a form could not.
   *
   * @param match the path
   * @param method of that request
   */
  void preflight(Exchange exchange, RouteTable.Match match, String method) {
    String origin = exchange.header(HttpHeaders.ORIGIN);
    if (origin == null) {
      return;
    }
    exchange.header(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    List<String> methods = match.methodsForBrowsers();
    if (methods.contains(method) && origins.anyAllows(origin)) {
      exchange.header(ALLOW_ORIGIN, origin);
      exchange.header(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, String.join(",", methods));
      exchange.header(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, SENT);
      exchange.header(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
    }
  }
}
