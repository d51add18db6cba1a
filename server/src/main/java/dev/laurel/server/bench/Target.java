package dev.laurel.server.bench;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A board of a server, and the key for it. */
record Target(String url, String host, int port, @Nullable String key, String board) {
  private static final String EXPECTED = " (expected: http://HOST:PORT)";

  static Target of(String url, @Nullable String key, String board) {
    String text = url.replaceAll("/+$", "");
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--url: " + text + EXPECTED, e);
    }
    String host = uri.getHost();
    if (!"http".equals(uri.getScheme()) || host == null || !uri.getPath().isEmpty()) {
      throw new IllegalArgumentException("--url: " + text + EXPECTED);
    }
    if (key != null && !key.matches("[!-~]+")) {
      throw new IllegalArgumentException("--key: not shown (expected: ASCII without spaces)");
    }
    return new Target(text, host, uri.getPort() < 0 ? 80 : uri.getPort(), key, board);
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
