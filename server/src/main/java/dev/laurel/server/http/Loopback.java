package dev.laurel.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;

/** Tells callers on this machine from those that come through a proxy on this machine. */
final class Loopback {
  private Loopback() {}

  static boolean is(HttpServerRequest request) {
    var headers = request.headers();
    if (headers.contains("X-Forwarded-For") || headers.contains("Forwarded")) {
      return false;
    }
    String address = request.remoteAddress().hostAddress();
    return address != null && InetAddress.ofLiteral(address).isLoopbackAddress();
  }
}
