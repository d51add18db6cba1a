package dev.laurel.server.api;

import dev.laurel.server.Reachable;
import dev.laurel.server.TestServer;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Talks to a server as one caller. Every answer is held against openapi.yaml. Thread-safe. */
final class Api {
  static final String BOARDS = "/api/v1/leaderboards";

  private final Reachable server;
  private final List<String> headers;

  private Api(Reachable server, List<String> headers) {
    this.server = server;
    this.headers = headers;
  }

  static Api admin(Reachable server) {
    return anonymous(server).with("X-API-Key", TestServer.ADMIN_KEY);
  }

  static Api anonymous(Reachable server) {
    return new Api(server, List.of());
  }

  /** The same caller, sending these headers with every request. */
  Api with(String... more) {
    String[] all = Arrays.copyOf(headers.toArray(new String[0]), headers.size() + more.length);
    System.arraycopy(more, 0, all, headers.size(), more.length);
    return new Api(server, List.of(all));
  }

  /** Another caller of the same server: a new key made by this one. */
  Api key(String name, String... scopes) {
    return anonymous(server).with("X-API-Key", secret(name, scopes));
  }

  String secret(String name, String... scopes) {
    String list = String.join("','", scopes);
    return post("/api/v1/keys", "{'name':'%s','scopes':['%s']}".formatted(name, list))
        .is(201)
        .at("/key");
  }

  Answer get(String path, String... more) {
    return send("GET", path, null, more);
  }

  Answer post(String path, String json, String... more) {
    return send("POST", path, json, more);
  }

  Answer put(String path, String json, String... more) {
    return send("PUT", path, json, more);
  }

  Answer patch(String path, String json, String... more) {
    return send("PATCH", path, json, more);
  }

  Answer delete(String path, String... more) {
    return send("DELETE", path, null, more);
  }

  /** Makes a board; {@code fields} are more fields of the body, with single quotes. */
  String board(String uuid, String... fields) {
    String more = fields.length == 0 ? "" : "," + String.join(",", fields);
    post(BOARDS, "{'UUID':'" + uuid + "'" + more + "}").is(201);
    return BOARDS + "/" + uuid;
  }

  /** A score; the body's fields with single quotes. */
  Answer score(String board, String user, String fields) {
    return put(board + "/users/" + path(user), "{" + fields + "}");
  }

  /**
   * @param json single quotes stand for double ones; null for no body at all
   */
  Answer send(String method, String path, @Nullable String json, String... more) {
    return raw(method, path, json == null ? null : json.replace('\'', '"'), more);
  }

  /** A body sent exactly as given. */
  Answer raw(String method, String path, @Nullable String body, String... more) {
    HttpRequest.Builder request = server.anonymous(path);
    boolean typed = false;
    for (List<String> some : List.of(headers, List.of(more))) {
      for (int i = 0; i < some.size(); i += 2) {
        request.setHeader(some.get(i), some.get(i + 1));
        typed |= some.get(i).equals("Content-Type");
      }
    }
    if (body != null && !typed) {
      request.header("Content-Type", "application/json");
    }
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    HttpResponse<String> response = server.send(request);
    Answer answer = Answer.of(response.statusCode(), response.headers(), response.body());
    int query = path.indexOf('?');
    Contract.check(method, query < 0 ? path : path.substring(0, query), answer);
    return answer;
  }

  /** A path segment or query value, percent-encoded. */
  static String path(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
