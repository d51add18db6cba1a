package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import io.vertx.core.http.HttpMethod;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What well-formed HTTP gets; for the rest see {@link HostileHttpTest}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpTest {
  private final CountDownLatch entered = new CountDownLatch(4);
  private final CountDownLatch release = new CountDownLatch(1);

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @BeforeAll
  void start() {
    server = TestServer.start(s -> s.with(Settings.MAX_BLOCKING, "4"), this::routes);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void routes(RouteTable table) {
    table
        .get("/t/echo/{a}/{b}", Kind.HOT, Access.PUBLIC, this::echo, "limit", "q", "flag")
        .post("/t/body", Kind.HOT, Access.INGEST, HttpTest::body)
        .post("/t/blocking", Kind.BLOCKING, Access.MANAGE, HttpTest::body)
        .add(
            HttpMethod.PUT,
            "/t/optional",
            Kind.BLOCKING,
            Access.PUBLIC,
            Body.OPTIONAL_JSON,
            e -> e.json(new JsonOut(8).number(e.body().length)))
        .get("/t/later", Kind.HOT, Access.PUBLIC, HttpTest::later)
        .get("/t/wait", Kind.BLOCKING, Access.PUBLIC, this::waitForRelease)
        .get("/t/crash", Kind.HOT, Access.PUBLIC, HttpTest::crash)
        .get("/t/crash-blocking", Kind.BLOCKING, Access.PUBLIC, HttpTest::crash)
        .get("/t/silent", Kind.BLOCKING, Access.PUBLIC, _ -> {})
        .get("/t/full", Kind.HOT, Access.PUBLIC, HttpTest::full)
        .get("/t/public-board", Kind.HOT, Access.READ_OR_PUBLIC_BOARD, HttpTest::whoami)
        .delete("/t/nothing", Kind.HOT, Access.PUBLIC, Exchange::noContent);
  }

  private void echo(Exchange e) {
    JsonOut out = new JsonOut(64).beginObject();
    out.name("a").string(e.pathParam("a")).name("b").string(e.pathParam("b"));
    out.name("limit").number(e.intQuery("limit", 10, 1, 1000));
    out.name("flag").bool(e.boolQuery("flag", false));
    e.json(out.name("q").value(e.query("q")).endObject());
  }

  private static void body(Exchange e) {
    Fields fields = e.fields();
    String name = fields.string("name");
    fields.done();
    String thread = Thread.currentThread().isVirtual() ? "virtual" : "loop";
    JsonOut out = new JsonOut(64).beginObject().name("name").string(name);
    e.status(201).json(out.name("thread").string(thread).endObject());
  }

  private static void later(Exchange e) {
    Thread.ofVirtual().start(() -> e.json(new JsonOut(8).string("later")));
  }

  private void waitForRelease(Exchange e) throws InterruptedException {
    entered.countDown();
    assertThat(release.await(2, TimeUnit.MINUTES)).isTrue();
    e.json(new JsonOut(8).bool(true));
  }

  private static void crash(Exchange e) {
    throw new IllegalStateException("secret detail of " + e.route());
  }

  private static void full(Exchange e) {
    e.reject(Rejection.of(ErrorCode.OVERLOADED, "full"));
  }

  private static void whoami(Exchange e) {
    Principal principal = e.principal();
    e.json(new JsonOut(8).value(principal == null ? null : principal.name()));
  }

  private static void assertError(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"" + code + "\",\"message\":\"");
    assertThat(answer.body()).contains("\"details\":{");
    assertThat(header(answer, "content-type")).isEqualTo("application/json");
    assertThat(header(answer, "x-request-id")).isNotEmpty();
    assertThat(header(answer, "cache-control")).isEqualTo("no-store");
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void get_health_isOk() {
    for (String path : List.of("/v1/healthz", "/api/v1/health")) {
      HttpResponse<String> answer = server.send(server.anonymous(path));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
    }
  }

  @Test
  void get_page_linksToTheRest() {
    HttpResponse<String> answer = server.send(server.anonymous("/"));
    assertThat(header(answer, "content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(answer.body())
        .contains("/openapi.yaml")
        .contains("/metrics")
        .contains("\"/boards\"");
  }

  @Test
  void get_pageFiles_areRevalidated() {
    for (String path : List.of("/boards", "/boards/any?wall&user=ada", "/page/laurel-board.js")) {
      HttpResponse<String> first = server.send(server.anonymous(path));
      String etag = header(first, "etag");
      assertThat(first.statusCode()).as(path).isEqualTo(200);
      assertThat(header(first, "cache-control")).isEqualTo("no-cache");
      assertThat(header(first, "content-type"))
          .isEqualTo((path.endsWith(".js") ? "text/javascript" : "text/html") + "; charset=utf-8");
      HttpResponse<String> again =
          server.send(server.anonymous(path).header("If-None-Match", "W/\"x\", " + etag));
      assertThat(again.statusCode()).as(path).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      HttpResponse<String> other =
          server.send(server.anonymous(path).header("If-None-Match", "\"x\""));
      assertThat(other.statusCode()).isEqualTo(200);
    }
  }

  /** Every file that a page or another file names is served, and nothing is written in line. */
  @Test
  void get_pages_loadOnlyWhatThereIs() {
    Pattern names = Pattern.compile("(?:src=|href=|from |import )\"(/page/|\\./)([\\w.-]+)\"");
    Set<String> found = new TreeSet<>();
    List<String> open = new ArrayList<>(List.of("/boards", "/boards/any"));
    while (!open.isEmpty()) {
      String path = open.removeLast();
      HttpResponse<String> answer = server.send(server.anonymous(path));
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      if (path.startsWith("/boards")) {
        assertThat(answer.body()).doesNotContain("<style").doesNotContain("<script>");
        assertThat(header(answer, "content-security-policy")).contains("default-src 'self'");
      }
      names
          .matcher(answer.body())
          .results()
          .map(match -> "/page/" + match.group(2))
          .filter(found::add)
          .forEach(open::add);
    }
    assertThat(found).hasSize(11).contains("/page/laurel-live.js", "/page/seasons.js");
  }

  @Test
  void get_openApi_isYamlOfThatVersion() {
    String yaml = server.send(server.anonymous("/openapi.yaml")).body();
    Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    assertThat(document).asString().contains("openapi=3.0.3").contains("/v1/healthz");
  }

  @Test
  void get_metrics_countsByRouteStatusAndTenant() {
    server.post("/t/body", "{\"name\":\"x\"}");
    String text = server.get("/metrics").body();
    assertThat(text)
        .contains(
            "laurel_http_requests_seconds_count{method=\"POST\",route=\"/t/body\","
                + "status=\"201\",tenant=\"default\"}")
        .contains("laurel_http_requests_seconds_bucket{method=\"POST\",route=\"/t/body\"")
        .contains("laurel_http_connections ")
        .contains("laurel_http_in_flight 1.0")
        .contains("jvm_memory_used_bytes")
        .contains("process_files_open_files");
  }

  @Test
  void get_parameters_areDecoded() {
    assertThat(server.get("/t/echo/a%2Fb/%E2%82%AC?q=a%20b+c%26&limit=7&flag=true").body())
        .isEqualTo("{\"a\":\"a/b\",\"b\":\"€\",\"limit\":7,\"flag\":true,\"q\":\"a b c&\"}");
    assertThat(server.get("/t/echo/x/y?&q&").body())
        .isEqualTo("{\"a\":\"x\",\"b\":\"y\",\"limit\":10,\"flag\":false,\"q\":\"\"}");
  }

  @Test
  void get_badQueries_areRefused() {
    for (String limit : List.of("0", "1001", "x", "", "+5", "1.0", "99999999999999999999")) {
      HttpResponse<String> answer = server.get("/t/echo/x/y?limit=" + limit.replace("+", "%2B"));
      assertError(answer, 400, "VALIDATION_ERROR");
      assertThat(answer.body()).contains("limit: " + limit + " (expected: 1..1000)");
    }
    assertThat(server.get("/t/echo/x/y?limit=1&limit=1").body()).contains("given twice");
    assertThat(server.get("/t/echo/x/y?limti=1").body()).contains("query: limti (expected: one of");
    assertThat(server.get("/v1/healthz?x=1").body()).contains("expected: no query parameters");
    assertThat(server.get("/t/echo/x/y?flag=yes").statusCode()).isEqualTo(400);
  }

  @Test
  void get_unknownPath_is404() {
    for (String path : List.of("/nope", "/v1", "/v1/healthz/", "/api/v1/health/x")) {
      assertError(server.get(path), 404, "NOT_FOUND");
    }
  }

  @Test
  void send_unknownMethods_are405WithAllow() {
    for (String method : List.of("DELETE", "BREW", "PATCH", "TRACE")) {
      HttpResponse<String> answer =
          server.send(server.request("/v1/healthz").method(method, BodyPublishers.noBody()));
      assertError(answer, 405, "METHOD_NOT_ALLOWED");
      assertThat(header(answer, "allow")).isEqualTo("OPTIONS, GET, HEAD");
    }
  }

  @Test
  void options_knownPath_saysWhatIsAllowed() {
    HttpResponse<String> answer =
        server.send(server.anonymous("/t/body").method("OPTIONS", BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(header(answer, "allow")).isEqualTo("OPTIONS, POST");
    assertThat(answer.headers().firstValue("content-length")).isEmpty();
  }

  @Test
  void head_getRoute_hasTheHeadersAndNoBody() {
    HttpResponse<String> answer =
        server.send(server.anonymous("/v1/healthz").method("HEAD", BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(header(answer, "content-length")).isEqualTo("15");
  }

  @Test
  void requestId_usable_isReturned() {
    assertThat(header(server.send(withId("abc-123")), "x-request-id")).isEqualTo("abc-123");
    assertThat(header(server.send(withId("x".repeat(128))), "x-request-id")).hasSize(128);
    for (String bad : List.of("x".repeat(129), "a b")) {
      assertThat(header(server.send(withId(bad)), "x-request-id")).hasSize(16);
    }
  }

  private HttpRequest.Builder withId(String id) {
    return server.anonymous("/v1/healthz").header("X-Request-Id", id);
  }

  @Test
  void post_json_reachesTheHandlerOnItsThread() {
    HttpResponse<String> hot = server.post("/t/body", "{\"name\":\"é\"}");
    assertThat(hot.statusCode()).isEqualTo(201);
    assertThat(hot.body()).isEqualTo("{\"name\":\"é\",\"thread\":\"loop\"}");
    assertThat(server.post("/t/blocking", "{\"name\":\"é\"}").body())
        .isEqualTo("{\"name\":\"é\",\"thread\":\"virtual\"}");
  }

  @Test
  void post_wrongJson_isRefused() {
    assertError(server.post("/t/body", "{\"name\":"), 400, "MALFORMED_JSON");
    assertError(server.post("/t/blocking", "{\"name\":\"a\",\"x\":1}"), 400, "UNKNOWN_FIELD");
    assertError(server.post("/t/body", "[".repeat(10_000)), 400, "MALFORMED_JSON");
    assertError(server.post("/t/body", ""), 400, "VALIDATION_ERROR");
  }

  @Test
  void post_contentTypes_onlyJsonInUtf8() {
    for (String type : List.of("application/json", "Application/JSON; charset=\"UTF-8\"")) {
      assertThat(server.send(typed(type)).statusCode()).as(type).isEqualTo(201);
    }
    for (String type : List.of("text/plain", "application/json; charset=latin1", "application/x")) {
      assertError(server.send(typed(type)), 415, "UNSUPPORTED_MEDIA_TYPE");
    }
    HttpRequest.Builder untyped =
        server.request("/t/body").POST(BodyPublishers.ofString("{\"name\":\"x\"}"));
    assertError(server.send(untyped), 415, "UNSUPPORTED_MEDIA_TYPE");
  }

  private HttpRequest.Builder typed(String type) {
    return server
        .request("/t/body")
        .header("Content-Type", type)
        .POST(BodyPublishers.ofString("{\"name\":\"x\"}"));
  }

  @Test
  void put_optionalBody_mayBeAbsent() {
    assertThat(server.send(server.anonymous("/t/optional").PUT(BodyPublishers.noBody())).body())
        .isEqualTo("0");
    HttpRequest.Builder some =
        server.anonymous("/t/optional").header("Content-Type", "application/json");
    assertThat(server.send(some.PUT(BodyPublishers.ofString("{}"))).body()).isEqualTo("2");
  }

  @Test
  void get_withABody_isRefused() {
    HttpRequest.Builder request =
        server.anonymous("/v1/healthz").method("GET", BodyPublishers.ofString("{}"));
    assertError(server.send(request), 400, "VALIDATION_ERROR");
  }

  @Test
  void access_keysAndScopes_areChecked() {
    HttpRequest.Builder anonymous =
        server
            .anonymous("/t/body")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"name\":\"x\"}"));
    HttpResponse<String> answer = server.send(anonymous);
    assertError(answer, 401, "UNAUTHENTICATED");
    assertThat(header(answer, "www-authenticate")).isEqualTo("ApiKey realm=\"laurel\"");
    assertError(
        server.send(anonymous.header("X-API-Key", "wrong-key-0123456789")), 401, "UNAUTHENTICATED");
    assertThat(server.send(server.anonymous("/t/public-board")).body()).isEqualTo("null");
    assertThat(server.get("/t/public-board").body()).isEqualTo("\"admin\"");
  }

  @Test
  void handler_answersFromAnotherThread_isWritten() {
    assertThat(server.get("/t/later").body()).isEqualTo("\"later\"");
  }

  @Test
  void handler_fails_is500WithoutTheDetail() {
    for (String path : List.of("/t/crash", "/t/crash-blocking", "/t/silent")) {
      HttpResponse<String> answer =
          server.send(server.anonymous(path).header("X-Request-Id", "find-me"));
      assertError(answer, 500, "INTERNAL_ERROR");
      assertThat(answer.body()).contains("find-me").doesNotContain("secret detail");
    }
  }

  @Test
  void handler_unavailable_saysWhenToRetry() {
    HttpResponse<String> answer = server.get("/t/full");
    assertError(answer, 503, "OVERLOADED");
    assertThat(header(answer, "retry-after")).isEqualTo("1");
  }

  @Test
  void handler_noContent_hasNoLength() {
    HttpResponse<String> answer = server.send(server.anonymous("/t/nothing").DELETE());
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("content-length")).isEmpty();
  }

  @Test
  void blocking_moreThanAllowed_isOverloadedAndRecovers() throws Exception {
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(Thread.ofVirtual().start(() -> server.get("/t/wait")));
    }
    assertThat(entered.await(2, TimeUnit.MINUTES)).isTrue();
    assertError(server.get("/metrics"), 503, "OVERLOADED");
    release.countDown();
    for (Thread thread : waiting) {
      thread.join();
    }
    // The permit comes back after the answer, so that the answer is not held up.
    Poll.until("permits are back", () -> server.get("/metrics").statusCode() == 200);
  }
}
