package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.cli.CommandTree;
import dev.laurel.server.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole of it, on a real server. */
class BenchTest {
  private static final String BOARD = "/api/v1/leaderboards/{UUID}";
  private static final Map<Operation, String> ROUTES =
      Map.of(
          Operation.RANK, BOARD + "/users/{userId}/rank",
          Operation.TOP, BOARD + "/top",
          Operation.AROUND, BOARD + "/users/{userId}/around",
          Operation.RANKS, BOARD + "/ranks",
          Operation.PUT, BOARD + "/users/{userId}",
          Operation.SCORES, BOARD + "/scores");

  @TempDir Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(TestServer server, String... options) {
    List<String> args = new ArrayList<>(List.of("bench", "--url", server.laurel().url()));
    args.addAll(List.of(options));
    return CommandTree.build(
            Map.of("LAUREL_ADMIN_KEY", TestServer.ADMIN_KEY),
            folder,
            new PrintWriter(out),
            new PrintWriter(err))
        .execute(args.toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return JsonMapper.builder().build().readTree(Files.readString(folder.resolve("b.json")));
  }

  /** How many requests of a route the server has counted, of whatever status. */
  private static long counted(TestServer server, String route) {
    Pattern line =
        Pattern.compile(
            "laurel_http_requests_seconds_count\\{.*route=\"%s\".*} (\\S+)"
                .formatted(Pattern.quote(route)));
    return server
        .get("/metrics")
        .body()
        .lines()
        .map(line::matcher)
        .filter(java.util.regex.Matcher::matches)
        .mapToLong(m -> (long) Double.parseDouble(m.group(1)))
        .sum();
  }

  @Test
  void run_openLoopOfEverything_countsWhatTheServerCounted() throws IOException {
    try (TestServer server = TestServer.start()) {
      int code =
          run(
              server,
              "--board=b",
              "--users=10000",
              "--batch=50",
              "--decimals=2",
              "--windows=all-time,daily",
              "--warmup=0s",
              "--duration=2s",
              "--connections=16",
              "--threads=2",
              "--distribution=zipf",
              "--rate=rank=500,top=50,around=50,ranks=20,put=100,scores=10",
              "--report=b.html",
              "--json=b.json");

      assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
      JsonNode result = json();
      ROUTES.forEach(
          (operation, route) -> {
            JsonNode node = result.path("operations").path(operation.label());
            long loading = operation == Operation.SCORES ? 10 : 0;
            assertThat(node.path("answeredWithWarmup").asLong() + loading)
                .as(operation.label())
                .isEqualTo(counted(server, route));
            assertThat(node.path("requests").asLong())
                .as(operation.label())
                .isEqualTo(node.path("sentWithWarmup").asLong())
                .isEqualTo(Math.round(2 * node.path("askedPerSecond").asDouble()));
            assertThat(node.path("errors").size()).isZero();
            assertThat(out.toString()).contains(operation.label());
          });
      assertThat(Files.readString(folder.resolve("b.html")))
          .startsWith("<!doctype html>")
          .contains("<svg", "op-rank", "--distribution=zipf", "99.9")
          .doesNotContain("{{", TestServer.ADMIN_KEY)
          .doesNotContain("src=", "href=");
      assertThat(server.get("/api/v1/leaderboards/b").body())
          .contains(
              "\"totalUsers\":10000",
              "\"status\":\"COMPLETED\"",
              "\"decimals\":2",
              "\"name\":\"daily\"");
      assertThat(err.toString()).contains("board b is COMPLETED now");
    }
  }

  @Test
  void run_closedLoopOnABoardThatIsThere_loadsNothingAndLeavesItOpen() throws IOException {
    try (TestServer server = TestServer.start()) {
      String[] once = {
        "--board=mine", "--keep", "--users=2", "--mix=top", "--warmup=0s", "--duration=50ms"
      };
      assertThat(run(server, once)).as(err.toString()).isEqualTo(ExitCode.OK);

      int code =
          run(
              server,
              "--board=mine",
              "--reuse",
              "--users=2",
              "--mix=rank=90,put=10",
              "--warmup=100ms",
              "--duration=300ms",
              "--connections=4",
              "--json=b.json");

      assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
      for (Operation operation : List.of(Operation.RANK, Operation.PUT)) {
        JsonNode node = json().path("operations").path(operation.label());
        assertThat(node.path("good").asLong()).isPositive();
        assertThat(node.path("answeredWithWarmup").asLong())
            .isGreaterThan(node.path("good").asLong())
            .isEqualTo(counted(server, String.valueOf(ROUTES.get(operation))));
      }
      assertThat(server.get("/api/v1/leaderboards/mine").body())
          .contains("\"totalUsers\":2", "\"status\":\"ACTIVE\"");
    }
  }

  @Test
  void run_usersThatAreNotThere_areErrorsAndTheExitStatusSaysSo() {
    try (TestServer server = TestServer.start()) {
      server.post("/api/v1/leaderboards", "{\"UUID\": \"mine\"}");
      server.post(
          "/api/v1/leaderboards/mine/scores",
          "{\"scores\": [{\"userId\": \"someone\", \"score\": 1}]}");

      int code =
          run(
              server,
              "--board=mine",
              "--reuse",
              "--users=1",
              "--warmup=0s",
              "--duration=100ms",
              "--connections=1");

      assertThat(code).isEqualTo(ExitCode.BENCH_ERRORS);
      assertThat(out.toString()).contains("× status 404");
    }
  }

  @Test
  void run_wrongKey_failsWithOneLine() {
    try (TestServer server = TestServer.start()) {
      int code = run(server, "--key", "not-the-right-one-at-all", "--users=10");
      assertThat(code).isEqualTo(ExitCode.BENCH_FAILED);
      assertThat(err.toString().lines())
          .containsExactly("laurel: the key is not in force at " + server.laurel().url());
    }
  }

  @Test
  void run_boardIsThere_saysWhatToDo() {
    try (TestServer server = TestServer.start()) {
      server.post("/api/v1/leaderboards", "{\"UUID\": \"mine\"}");
      assertThat(run(server, "--board=mine")).isEqualTo(ExitCode.BENCH_FAILED);
      assertThat(err.toString()).contains("board mine already", "--reuse");
    }
  }
}
