package dev.laurel.server.http;

import io.netty.handler.codec.http.HttpRequest;
import java.util.Set;

/** The requests by which an orchestrator asks how the server is. */
final class Probes {
  private static final Set<String> PATHS =
      Set.of("/api/v1/health", "/api/v1/ready", "/v1/healthz", "/v1/readyz");

  private Probes() {}

  static boolean is(HttpRequest request) {
    return PATHS.contains(request.uri());
  }
}
