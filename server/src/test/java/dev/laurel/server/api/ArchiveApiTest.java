package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A day that is archived and purged, asked for over HTTP and by commands; exports of seasons. */
class ArchiveApiTest {
  private static final String BOARD = Api.BOARDS + "/day";

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            settings ->
                settings
                    .with(Settings.ARCHIVE, folder.resolve("archive").toString())
                    .with(Settings.ARCHIVE_AFTER, "never")
                    .with(Settings.PURGE_AFTER, "P1D"),
            clock,
            _ -> {});
    api = Api.admin(server);
    api.post(
            Api.BOARDS,
            """
            {"UUID":"day","windows":[{"schedule":"daily",
             "prizes":[{"name":"gold","from":1,"reward":{"coins":100}}]}]}
            """)
        .is(201);
    api.score(BOARD, "ann", "'score':3.25,'metadata':{'hero': 'elf'}").is(200);
    api.score(BOARD, "=bob,\"x\"", "'score':2").is(200);
    api.score(BOARD, "cid", "'score':1").is(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Cli laurel(String... args) {
    return Cli.run(server, folder, args);
  }

  private String endDay() {
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
    Poll.until(
        "the day is final",
        () -> api.get(BOARD + "/seasons").at("/seasons/1/final").equals("true"));
    return api.get(BOARD + "/seasons").at("/seasons/1/instanceId");
  }

  private void awaitState(String id, String state) {
    Poll.until(state, () -> api.get("/api/v1/archives/" + id).at("/state").equals(state));
  }

  private List<String> reads() {
    return List.of(
        api.get(BOARD + "/top?limit=2&season=previous").is(200).all("/users", "userId").toString(),
        api.get(BOARD + "/users/ann/rank?season=previous").is(200).text(),
        api.get(BOARD + "/users/cid/around?season=previous").is(200).text(),
        api.get(BOARD + "/users/cid/history").is(200).all("/seasons", "rank").toString(),
        api.get(BOARD + "/prizes?season=previous").is(200).at("/tiers/0/winners/0/userId"),
        api.get(BOARD + "/export?season=previous").is(200).text());
  }

  /** Archives are not rewritten: what they say of the user is shown as somebody's. */
  @Test
  void user_erasedAfterTheSeasonWasPurged_leavesItReadable() {
    String id = endDay();
    assertThat(laurel("archive", "run").code()).isZero();
    clock.set(Instant.parse("2026-11-15T23:59:00Z").plusSeconds(86_400));
    awaitState(id, "PURGED");
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
    api.delete("/api/v1/users/ann").is(204);
    Answer top = api.get(BOARD + "/top?limit=2&at=2026-11-14T13:00:00Z").is(200);
    assertThat(top.all("/users", "userId").getFirst()).matches("erased-[0-9a-f]{16}");
    assertThat(top.all("/users", "userId").getLast()).isEqualTo("=bob,\"x\"");
    assertThat(api.get(BOARD + "/users/cid/around?at=2026-11-14T13:00:00Z").is(200).text())
        .doesNotContain("ann");
    api.get(BOARD + "/users/ann/rank?at=2026-11-14T13:00:00Z").refused(404, "USER_NOT_FOUND");
    api.get(BOARD + "/users/nobody/rank?at=2026-11-14T13:00:00Z").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void revert_theLastOfAUser_afterOneOfItsSeasonsWasArchived_goesBackOneByOne() {
    String both =
        api.board(
            "both",
            "'update':'SUM','windows':[{'schedule':'daily'},{'name':'all','schedule':'all-time'}]");
    for (int score : new int[] {1, 10, 100}) {
      api.score(both, "ann", "'score':" + score).is(200);
    }
    endDay();
    Poll.until(
        "the day of the other board is archived",
        () ->
            laurel("archive", "run").code() == 0
                && laurel("archive", "list").out().contains("both-2026-11-14-daily"));
    for (String left : List.of("11", "1")) {
      assertThat(api.post(both + "/reverts", "{'userId':'ann','last':1}").is(200).number("/lines"))
          .isEqualTo(1);
      assertThat(api.get(both + "/users/ann/rank?period=all").is(200).at("/score")).isEqualTo(left);
    }
    api.post(both + "/reverts", "{'userId':'ann','last':1}").is(200);
    api.get(both + "/users/ann/rank?period=all").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void season_archivedPurgedAndRestored_answersTheSame() throws IOException {
    api.send("POST", "/api/v1/archives/nothing/run", null).refused(404, "SEASON_NOT_FOUND");
    String running = api.get(BOARD + "/seasons").at("/seasons/0/instanceId");
    api.send("POST", "/api/v1/archives/" + running + "/run", null)
        .refused(409, "ILLEGAL_STATUS_CHANGE");
    assertThat(laurel("archive", "list").err()).contains("no season was archived yet");
    assertThat(laurel("archive", "run").err()).contains("no season waits");
    String id = endDay();
    api.send("POST", "/api/v1/archives/" + id + "/verify", null).refused(404, "ARCHIVE_NOT_FOUND");
    List<String> before = reads();
    assertThat(before.get(1)).contains("\"metadata\":{\"hero\": \"elf\"}");

    Cli run = laurel("archive", "run");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("day-2026-11-14-daily").contains("ARCHIVED");
    assertThat(laurel("archive", "list").out()).contains(id).contains("ARCHIVED");
    assertThat(reads()).isEqualTo(before);

    clock.set(Instant.parse("2026-11-15T23:59:00Z").plusSeconds(86_400));
    awaitState(id, "PURGED");
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
    Answer top = api.get(BOARD + "/top?limit=2&at=2026-11-14T12:00:00Z").is(200);
    assertThat(top.header("Laurel-Source")).isEqualTo("archive");
    assertThat(laurel("archive", "verify").code()).isZero();
    String at = "at=2026-11-14T12:00:00Z";
    assertThat(api.get(BOARD + "/users/ann/rank?" + at).is(200).text()).isEqualTo(before.get(1));
    assertThat(api.get(BOARD + "/users/cid/around?" + at).is(200).text()).isEqualTo(before.get(2));
    assertThat(api.get(BOARD + "/export?" + at).is(200).text()).isEqualTo(before.get(5));
    assertThat(api.get(BOARD + "/prizes?" + at).is(200).at("/tiers/0/winners/0/userId"))
        .isEqualTo("ann");

    Cli restored = laurel("archive", "restore", id);
    assertThat(restored.code()).as(restored.err()).isZero();
    assertThat(api.get("/api/v1/archives/" + id).at("/state")).isEqualTo("ARCHIVED");
    top = api.get(BOARD + "/top?limit=2&at=2026-11-14T12:00:00Z").is(200);
    assertThat(top.header("Laurel-Source")).isEqualTo("final");

    try (var files = Files.walk(folder.resolve("archive"))) {
      for (Path file : files.filter(f -> f.endsWith("users.jsonl.gz")).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }
    Cli damaged = laurel("archive", "verify", id);
    assertThat(damaged.code()).isNotZero();
    assertThat(damaged.err()).contains("users.jsonl.gz").contains("sha256");
  }

  @Test
  void archives_ofAnotherTenant_areNotSeen() {
    String id = endDay();
    api.send("POST", "/api/v1/archives/" + id + "/run", null).is(202);
    awaitState(id, "ARCHIVED");
    api.post("/api/v1/tenants", "{'tenantId':'other','name':'Other'}").is(201);
    Api other = api.with("Laurel-Tenant", "other");
    assertThat(other.get("/api/v1/archives").is(200).all("/archives", "instanceId")).isEmpty();
    other.get("/api/v1/archives/" + id).refused(404, "SEASON_NOT_FOUND");
  }

  @Test
  void export_ofARunningSeason_isCsvOrJsonLines() throws IOException {
    assertThat(api.get(BOARD + "/export").is(200).text().lines())
        .first()
        .isEqualTo("userId,rank,score,timestamp,metadata,prize");
    assertThat(api.get(BOARD + "/export?format=csv").is(200).text())
        .contains("\r\nann,1,3.25,2026-11-14T12:00:00Z,\"{\"\"hero\"\": \"\"elf\"\"}\",gold\r\n")
        .contains("\r\n\"'=bob,\"\"x\"\"\",2,2,2026-11-14T12:00:00Z,,\r\n");
    assertThat(api.get(BOARD + "/export?spreadsheet=false").is(200).text()).contains("\r\n\"=bob,");
    assertThat(api.get(BOARD + "/export?format=jsonl").is(200).text().lines())
        .first()
        .isEqualTo(
            "{\"userId\":\"ann\",\"rank\":1,\"score\":3.25,\"timestamp\":\"2026-11-14T12:00:00Z\","
                + "\"metadata\":{\"hero\": \"elf\"},\"prize\":\"gold\"}");
    api.get(BOARD + "/export?format=xml").refused(400, "VALIDATION_ERROR");
    Cli file = laurel("export", "--board", "day", "--output", "day.csv");
    assertThat(file.code()).as(file.err()).isZero();
    assertThat(Files.readString(folder.resolve("day.csv")))
        .isEqualTo(api.get(BOARD + "/export").text());
  }

  @Test
  void export_withASlowReader_isTheStateOfItsBeginning() throws IOException {
    for (int batch = 0; batch < 20; batch++) {
      StringBuilder scores = new StringBuilder("{'scores':[");
      for (int i = 0; i < 1000; i++) {
        scores.append(i == 0 ? "" : ",");
        scores.append("{'userId':'%0100d','score':%d}".formatted(batch * 1000 + i, i));
      }
      // Not by Api: to hold so much against openapi.yaml takes a minute.
      String body = scores.append("]}").toString().replace('\'', '"');
      assertThat(server.post(BOARD + "/scores", body).statusCode()).isEqualTo(200);
    }
    long whole = server.get(BOARD + "/export").body().length();
    assertThat(whole).isGreaterThan(2_000_000);
    try (Socket socket = server.connect()) {
      String request =
          "GET %s/export HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nConnection: close\r\n\r\n"
              .formatted(BOARD, TestServer.ADMIN_KEY);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] first = socket.getInputStream().readNBytes(1000);
      assertThat(new String(first, StandardCharsets.US_ASCII)).contains("chunked");
      // A score that is written now is not in it: it is the state of its beginning.
      api.score(BOARD, "late", "'score':999999").is(200);
      String rest = TestServer.readAll(socket);
      assertThat(rest).endsWith("0\r\n\r\n").doesNotContain("late");
      assertThat((long) rest.length() + first.length).isGreaterThan(whole);
    }
  }
}
