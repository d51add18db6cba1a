package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Reachable;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Requests made of openapi.yaml: like what should be sent, and unlike it. Thread-safe. */
final class FuzzRequests {
  private static final Pattern INSIDE =
      Pattern.compile(
          "Exception|\\bat [a-z.]+\\(|\\.java:|(dev\\.laurel|io\\.vertx|io\\.netty|java\\.(lang|util)"
              + "|tools\\.jackson|org\\.(sqlite|postgresql))\\.[A-Za-z]|SQLITE_|SELECT |INSERT ");
  private static final List<String> HEADERS =
      List.of(
          "Idempotency-Key",
          "Laurel-Tenant",
          "X-Request-Id",
          "Origin",
          "X-Forwarded-For",
          "Accept",
          "Content-Type",
          "Authorization",
          "X-API-Key",
          "Laurel-Rules-Signature",
          "If-Match",
          "Last-Event-ID",
          "Expect",
          "Range",
          "Content-Encoding");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<Caller> callers;
  private final Map<String, String> known;

  private record Caller(String credentials) {}

  private FuzzRequests(List<Caller> callers, Map<String, String> known) {
    this.callers = callers;
    this.known = known;
  }

  /** Makes tenants, keys, and what the examples speak of. */
  static FuzzRequests of(Api admin, TestIssuer issuer) {
    admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    String key = admin.with("Laurel-Tenant", "acme").secret("fuzz", "read", "ingest", "manage");
    Caller user = new Caller("Authorization: Bearer " + issuer.token("user123") + "\r\n");
    Caller owner = new Caller("X-API-Key: " + TestServer.ADMIN_KEY + "\r\n");
    Caller tenant = new Caller("X-API-Key: " + key + "\r\n");
    return new FuzzRequests(
        List.of(user, owner, owner, owner, tenant, tenant, new Caller("")), prepare(admin));
  }

  /** Makes what the examples speak of, so that calls reach something; names what has no example. */
  private static Map<String, String> prepare(Api admin) {
    String board = admin.board("monthly-challenge", "'visibility':'PUBLIC'");
    admin.score(board, "user123", "'score':5").is(200);
    admin.post("/v1/games/chess/scores", "{'user_id':'alice','score':7}").is(200);
    admin.put("/api/v1/award-rules", "{'version':1,'rules':{'watch_video':25}}").is(200);
    List<OpenApiFile.Operation> operations = new ArrayList<>(new OpenApiFile().operations());
    // Twice, as some need what others make.
    operations.addAll(List.copyOf(operations));
    for (OpenApiFile.Operation operation : operations) {
      if (operation.method().equals("POST")
          && operation.hasBody()
          && !operation.path().contains("{")) {
        admin.post(operation.path(), JSON.writeValueAsString(operation.bodyExample()));
      }
    }
    String config = admin.get("/leaderboards/config").is(200).at("/configs/0/configId");
    String season = admin.get(board + "/seasons").is(200).at("/seasons/0/instanceId");
    assertThat(List.of(config, season)).doesNotContain("");
    return Map.of("configId", config, "instanceId", season, "seasonId", season);
  }

  /** Pages and their parts. */
  static OpenApiFile.Operation undocumented(Route route) {
    return new OpenApiFile.Operation(
        route.template(),
        route.method().name(),
        route.template(),
        List.of(),
        Map.of(),
        Map.of(),
        Set.of(),
        OpenApiFile.Security.NONE);
  }

  /** The bytes of one request. */
  byte[] next(OpenApiFile.Operation operation, Mutations some) {
    boolean forUsers = operation.security() == OpenApiFile.Security.TOKEN;
    Caller caller = forUsers && !some.oneIn(4) ? callers.getFirst() : some.any(callers);
    return request(operation, caller, known, some);
  }

  private static byte[] request(
      OpenApiFile.Operation operation, Caller caller, Map<String, String> known, Mutations some) {
    StringBuilder head = new StringBuilder();
    String method =
        some.oneIn(40) ? some.any(List.of("HEAD", "OPTIONS", "PUT", "X")) : operation.method();
    head.append(method).append(' ').append(target(operation, known, some)).append(" HTTP/1.1\r\n");
    head.append("Host: x\r\nConnection: close\r\n").append(caller.credentials);
    while (some.oneIn(3)) {
      String value = some.text(UUID.randomUUID());
      head.append(some.any(HEADERS)).append(": ").append(value.replaceAll("[^ -~]", "\u00e9"));
      head.append("\r\n");
    }
    byte[] body =
        operation.hasBody() ^ some.oneIn(30) ? some.body(operation.bodyExample()) : new byte[0];
    if (body.length > 0) {
      String type = some.oneIn(20) ? "text/plain" : "application/json";
      head.append("Content-Type: ").append(type).append("\r\n");
      if (some.oneIn(6)) {
        head.append("Transfer-Encoding: chunked\r\n");
        body = chunked(body);
      } else {
        head.append("Content-Length: ").append(body.length).append("\r\n");
      }
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    whole.writeBytes(body);
    return whole.toByteArray();
  }

  private static byte[] chunked(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes((Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(body);
    out.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  private static String target(
      OpenApiFile.Operation operation, Map<String, String> known, Mutations some) {
    String path = operation.path();
    StringBuilder query = new StringBuilder();
    for (OpenApiFile.Parameter parameter : operation.parameters()) {
      String value = some.text(known.getOrDefault(parameter.name(), example(parameter)));
      if (parameter.in().equals("path")) {
        // Those who call must not lock themselves out.
        boolean ownKey = parameter.name().equals("keyId") && value.matches("[+-]?[0-9]{1,3}");
        path = path.replace("{" + parameter.name() + "}", some.encoded(ownKey ? "999" : value));
      } else if (parameter.in().equals("query") && !some.oneIn(parameter.required() ? 10 : 2)) {
        query.append(query.isEmpty() ? '?' : '&').append(parameter.name()).append('=');
        query.append(some.encoded(value));
      }
    }
    if (some.oneIn(30)) {
      query.append(query.isEmpty() ? '?' : '&').append("surplus=").append(some.encoded("1"));
    }
    return path + query;
  }

  private static String example(OpenApiFile.Parameter parameter) {
    return parameter.example() == null ? "1" : String.valueOf(parameter.example());
  }

  /** Everything that comes back; of a stream without an end, its head. */
  static String call(Reachable server, byte[] request) {
    try (Socket socket = server.connect()) {
      StringBuilder answer = new StringBuilder();
      byte[] some = new byte[65_536];
      try {
        socket.getOutputStream().write(request);
        for (int n = socket.getInputStream().read(some);
            n >= 0;
            n = socket.getInputStream().read(some)) {
          answer.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
          if (answer.indexOf("text/event-stream") > 0) {
            break;
          }
        }
      } catch (SocketException e) {
        // A body that is too large ends the connection while it is sent.
      }
      return answer.toString();
    } catch (IOException e) {
      throw new IllegalStateException(show(request), e);
    }
  }

  /**
   * Fails if the answer is no HTTP, or tells something of the inside.
   *
   * @return its status; 0 if there is none because the request was too large
   */
  static int check(byte[] request, String answer) {
    if (answer.isEmpty()) {
      assertThat(request.length).as(show(request)).isGreaterThan(65_536);
      return 0;
    }
    String what = show(request) + "\n----\n" + answer;
    assertThat(answer).as(what).matches("(?s)HTTP/1.1 \\d{3} .*");
    if (!answer.contains("text/html")
        && !answer.contains("yaml")
        && !answer.contains("text/plain")) {
      assertThat(INSIDE.matcher(answer).find()).as(what).isFalse();
    }
    return Integer.parseInt(answer.substring(9, 12));
  }

  static String show(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8).replace("\0", "\\0");
    return text.length() > 3000 ? text.substring(0, 3000) + "..." : text;
  }
}
