package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey.Scope;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;

/**
 * From the head of a request to its route, its parameters and its caller.
 *
 * @param certificates whether services must have shown a certificate
 */
record Admission(
    RouteTable table, Authenticator authenticator, Limits limits, Cors cors, boolean certificates) {
  /**
   * False if the answer needs no handler.
   *
   * @throws RejectedException if there is no such route, or the head is not what it should be
   */
  boolean route(Exchange exchange) {
    checkHead(exchange);
    String target = exchange.head.target();
    int start = pathStart(target);
    int mark = target.indexOf('?', start);
    int end = mark < 0 ? target.length() : mark;
    HttpMethod method = exchange.method();
    if (start == end && HttpMethod.OPTIONS.equals(method) && target.equals("*")) {
      exchange.header(HttpHeaders.ALLOW, "OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE");
      exchange.noContent();
      return false;
    }
    RouteTable.Match match = table.match(target, start, end);
    if (match == null) {
      throw Rejection.of(
              ErrorCode.NOT_FOUND, "there is nothing at this path; /openapi.yaml lists what is")
          .asException();
    }
    Route route = match.route(method);
    if (route == null) {
      exchange.header(HttpHeaders.ALLOW, match.allow());
      if (HttpMethod.OPTIONS.equals(method)) {
        String asked = exchange.header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
        if (asked != null) {
          cors.preflight(exchange, match, asked);
        }
        exchange.noContent();
        return false;
      }
      throw Rejection.expectation(
              ErrorCode.METHOD_NOT_ALLOWED, "method", method.name(), match.allow())
          .asException();
    }
    exchange.route = route;
    exchange.params = match.params;
    if (mark >= 0) {
      exchange.query = QueryString.parse(target, mark + 1, route.queries());
    }
    return true;
  }

  /**
   * Tells who calls, and whether they may.
   *
   * @throws UndecidedException only if it may not wait
   */
  void admit(Exchange exchange, boolean mayWait) {
    Access access = exchange.route.access();
    if (access == Access.PUBLIC) {
      return;
    }
    if (certificates && access.isForServices() && !exchange.head.hasCertificate()) {
      throw Rejection.expectation(
              ErrorCode.CERTIFICATE_REQUIRED,
              "certificate",
              "missing",
              "a client certificate of an authority that is trusted here")
          .asException();
    }
    try {
      exchange.principal = authenticator.authenticate(exchange, mayWait);
    } catch (RejectedException e) {
      // Guessing is counted too, on every route.
      exchange.refusedCredentials = true;
      count(exchange, mayWait);
      throw e;
    }
    count(exchange, mayWait);
    Scope scope = access.scope();
    if (access.isOpen()) {
      return;
    }
    if (scope == null) {
      exchange.user();
    } else if (!exchange.caller().may(scope)) {
      throw exchange.caller().lacks(scope);
    }
  }

  /** Once, also where the fast lane had it first. */
  private void count(Exchange exchange, boolean mayWait) {
    Exchange before = exchange.before == null ? exchange : exchange.before;
    if (before.counted) {
      return;
    }
    if (before.overLimit != null) {
      exchange.headers = before.headers;
      throw before.overLimit;
    }
    try {
      limits.count(exchange, mayWait);
      exchange.counted = true;
    } catch (RejectedException e) {
      exchange.overLimit = e;
      throw e;
    }
  }

  private static void checkHead(Exchange exchange) {
    if (exchange.head.isVersion11() && exchange.header(HttpHeaders.HOST) == null) {
      throw malformed("Host", "missing", "a Host header");
    }
  }

  /** Where the path begins: clients of proxies send the whole URL. Everything must be ASCII. */
  private static int pathStart(String target) {
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw malformed("uri", target, "visible ASCII without a fragment");
      }
    }
    if (target.startsWith("/")) {
      return 0;
    }
    if (target.equals("*")) {
      return 1;
    }
    String lower = target.length() < 8 ? "" : target.substring(0, 8).toLowerCase(Locale.ROOT);
    int authority = lower.startsWith("http://") ? 7 : lower.equals("https://") ? 8 : -1;
    int slash = authority < 0 ? -1 : target.indexOf('/', authority);
    if (slash < 0) {
      throw malformed("uri", target, "a path that begins with /");
    }
    return slash;
  }

  private static RejectedException malformed(String name, String value, String expected) {
    return Rejection.expectation(ErrorCode.MALFORMED_REQUEST, name, value, expected).asException();
  }
}
