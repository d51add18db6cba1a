package dev.laurel.server.http;

import io.netty.handler.codec.http.HttpRequest;
import java.util.Set;

/** The requests by which an orchestrator asks how the server is, and what may ask where. */
final class Probes {
  private static final Set<String> PATHS =
      Set.of("/api/v1/health", "/api/v1/ready", "/v1/healthz", "/v1/readyz");

  private Probes() {}

  /** What a listener of its own serves, to whoever can reach it: these, and the metrics. */
  static RouteTable of(RouteTable all) {
    RouteTable some = new RouteTable();
    for (Route route : all.routes()) {
      if (is(route)) {
        some.get(route.template(), route.kind(), Access.PUBLIC, route.handler());
      }
    }
    return some;
  }

  /** Whether it is about how the server is. */
  static boolean is(Route route) {
    return PATHS.contains(route.template()) || route.access() == Access.METRICS;
  }

  static boolean is(HttpRequest request) {
    return PATHS.contains(request.uri());
  }
}
