package dev.laurel.server.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages of boards and what they load: files of the jar, the same for everyone. What is on a
 * board comes from the API, so that a page can be kept by browsers and asks only whether it is
 * still the same.
 */
public final class PageRoutes {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** Everything under /page. */
  private static final List<String> FILES =
      List.of(
          "laurel-live.js",
          "laurel-board.js",
          "laurel-board-announcer.js",
          "laurel-board-rows.js",
          "laurel-board-style.js",
          "board.js",
          "boards.js",
          "pages.js",
          "seasons.js",
          "boards.css",
          "laurel.svg");

  private record PageFile(String type, byte[] bytes, String etag) {
    static PageFile of(String name) {
      byte[] bytes = BuiltInRoutes.resource("/page/" + name);
      return new PageFile(type(name), bytes, "\"" + digest(bytes) + "\"");
    }

    private static String type(String name) {
      return switch (name.substring(name.lastIndexOf('.') + 1)) {
        case "html" -> HTML;
        case "js" -> SCRIPT;
        case "css" -> "text/css; charset=utf-8";
        case "svg" -> "image/svg+xml";
        default -> throw new IllegalArgumentException(name + " (expected: html, js, css or svg)");
      };
    }

    private static String digest(byte[] bytes) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
        return HexFormat.of().formatHex(hash, 0, 12);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final PageFile list = PageFile.of("boards.html");
  private final PageFile board = PageFile.of("board.html");
  private final Map<String, PageFile> files = new LinkedHashMap<>();

  public PageRoutes() {
    for (String name : FILES) {
      files.put(name, PageFile.of(name));
    }
  }

  public void addTo(RouteTable table) {
    table.get("/boards", Kind.HOT, Access.PUBLIC, x -> page(x, list), "tenant");
    // What the parameters mean is the page's own matter.
    table.get(
        "/boards/{board}",
        Kind.HOT,
        Access.PUBLIC,
        x -> page(x, board),
        "tenant",
        "period",
        "season",
        "user",
        "top",
        "theme",
        "wall");
    files.forEach(
        (name, file) ->
            table.get(
                "/page/" + name,
                Kind.HOT,
                Access.PUBLIC,
                x -> {
                  Cors.everyone(x);
                  send(x, file);
                }));
  }

  private static void page(Exchange exchange, PageFile file) {
    exchange.header(
        "content-security-policy",
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    send(exchange, file);
  }

  private static void send(Exchange exchange, PageFile file) {
    exchange.cacheControl("no-cache").header("etag", file.etag);
    String known = exchange.header("if-none-match");
    if (known != null && known.contains(file.etag)) {
      exchange.status(304).send(file.type, new byte[0]);
    } else {
      exchange.send(file.type, file.bytes);
    }
  }
}
