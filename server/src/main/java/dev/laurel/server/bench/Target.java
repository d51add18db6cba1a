package dev.laurel.server.bench;

import dev.laurel.server.client.ClientTls;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A board of a server, and the key for it.
 *
 * @param secure null for plain HTTP
 */
record Target(
    String url,
    String host,
    int port,
    @Nullable String key,
    String board,
    ClientTls tls,
    @Nullable SslContext secure) {
  private static final String EXPECTED = " (expected: http://HOST:PORT or https://HOST:PORT)";

  static Target of(String url, @Nullable String key, String board, ClientTls tls) {
    String text = url.replaceAll("/+$", "");
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--url: " + text + EXPECTED, e);
    }
    String host = uri.getHost();
    boolean https = "https".equals(uri.getScheme());
    if (!(https || "http".equals(uri.getScheme())) || host == null || !uri.getPath().isEmpty()) {
      throw new IllegalArgumentException("--url: " + text + EXPECTED);
    }
    if (key != null && !key.matches("[!-~]+")) {
      throw new IllegalArgumentException("--key: not shown (expected: ASCII without spaces)");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : https ? 443 : 80;
    return new Target(text, host, port, key, board, tls, https ? tls.netty() : null);
  }

  String authority() {
    return host + ":" + port;
  }

  String boardPath() {
    return "/api/v1/leaderboards/" + board;
  }

  /** With its line end, or empty. */
  String keyHeader() {
    return key == null ? "" : "X-API-Key: " + key + "\r\n";
  }
}
