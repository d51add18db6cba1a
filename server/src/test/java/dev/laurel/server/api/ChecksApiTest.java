package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Ranks are compared with the database and built anew, over HTTP and by commands. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class ChecksApiTest {
  @TempDir Path folder = Path.of("");
  private RedisServer redis;
  private TestServer server;
  private Api api;

  @BeforeAll
  void start(@TempDir Path redisFolder) {
    redis = RedisServer.start(redisFolder);
    server = TestServer.start(s -> s.with(Settings.REDIS_URL, redis.url()), _ -> {});
    api = Api.admin(server);
    for (String uuid : new String[] {"fine", "other"}) {
      String board = api.board(uuid, "'ties':'SHARED'");
      api.score(board, "ann", "'score':3.5").is(200);
      api.score(board, "bob", "'score':2").is(200);
    }
  }

  @AfterAll
  void stop() {
    server.close();
    redis.close();
  }

  private Cli laurel(String... args) {
    return Cli.run(server, folder, args);
  }

  @Test
  void verify_untouched_saysEqualWithCountAndChecksum() {
    Cli all = laurel("verify");
    assertThat(all.code()).as(all.err()).isZero();
    assertThat(all.out().lines())
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(l -> l.startsWith("EQUAL"));
    assertThat(laurel("verify", "--all").code()).isZero();
    Cli one = laurel("verify", "fine");
    assertThat(one.out()).contains(" 2 entries").containsPattern("[0-9a-f]{16}").contains("fine");
    assertThat(laurel("verify", "nowhere").code()).isEqualTo(ExitCode.CALL_FAILED);
    assertThat(laurel("verify", "fine", "--all").code()).isEqualTo(ExitCode.USAGE);
    assertThat(laurel("rebuild").code()).isEqualTo(ExitCode.USAGE);
    assertThat(laurel("verify", "--tenant", "nosuch").code()).isEqualTo(ExitCode.CALL_FAILED);
  }

  @Test
  void rebuild_builtAnew_isEqualAndAnswers() {
    Cli rebuilt = laurel("rebuild", "fine");
    assertThat(rebuilt.code()).as(rebuilt.err()).isZero();
    assertThat(rebuilt.out()).startsWith("EQUAL");
    assertThat(laurel("rebuild", "--all").code()).isZero();
    Answer top = api.get(Api.BOARDS + "/fine/top?limit=2").is(200);
    assertThat(top.all("/users", "userId")).containsExactly("ann", "bob");
  }

  @Test
  void verify_somethingChangedInRedis_isShownCountedAndRepaired() {
    String board = api.board("drifting");
    api.score(board, "ann", "'score':3.5").is(200);
    api.score(board, "bob", "'score':2").is(200);
    String key =
        redis
            .call("KEYS", "laurel:*:z")
            .lines()
            .max((a, b) -> Long.compare(number(a), number(b)))
            .orElseThrow();
    redis.call(
        "EVAL",
        "local m = redis.call('ZRANGE', KEYS[1], 0, 0)[1] redis.call('ZADD', KEYS[1], 9e15, m)",
        "1",
        key);
    Cli drift = laurel("verify", "drifting");
    assertThat(drift.code()).as(drift.err() + drift.out()).isEqualTo(ExitCode.DRIFT);
    assertThat(drift.out()).startsWith("DIFFERENT").contains("first: MISPLACED ann");
    Poll.until(
        "it is repaired",
        () -> api.get("/api/v1/repairs").is(200).all("/repairs", "UUID").isEmpty());
    assertThat(laurel("verify", "drifting").code()).isZero();
    String metrics = server.get("/metrics").body();
    assertThat(metrics)
        .contains("laurel_drift_seasons_total 1.0")
        .contains("laurel_repairs 0.0")
        .contains("laurel_index_behind 0.0")
        .containsPattern("laurel_check_entries_total [1-9]")
        .containsPattern("laurel_check_last_seconds [1-9]");
  }

  /** Of a season, in {@code laurel:{laurel-7}:z}. */
  private static long number(String key) {
    return Long.parseLong(key.replaceAll("\\D", ""));
  }

  @Test
  void repairs_redisAway_areListedWithTheirReasonForTheirTenantOnly() {
    String board = Api.BOARDS + "/other";
    redis.stop();
    api.score(board, "cid", "'score':1").is(200);
    Poll.until(
        "it is in the list",
        () -> api.get("/api/v1/repairs").is(200).all("/repairs", "UUID").contains("other"));
    Answer listed = api.get("/api/v1/repairs").is(200);
    assertThat(listed.all("/repairs", "kind")).contains("CATCH_UP");
    assertThat(listed.at("/repairs/0/problem")).isNotBlank();
    Cli unanswered = laurel("verify", "other");
    assertThat(unanswered.code()).isEqualTo(ExitCode.DRIFT);
    assertThat(unanswered.out()).startsWith("NO_ANSWER");
    api.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    Api acme = api.with("Laurel-Tenant", "acme");
    assertThat(acme.get("/api/v1/repairs").is(200).all("/repairs", "UUID")).isEmpty();
    assertThat(acme.post("/api/v1/checks", "{}").is(200).text())
        .isEqualTo("{\"seasons\":0,\"wrong\":0}\n");
    acme.post("/api/v1/checks", "{'UUID':'other'}").refused(404, "BOARD_NOT_FOUND");
    redis.start();
    Poll.until(
        "it has caught up",
        () -> api.get("/api/v1/repairs").is(200).all("/repairs", "UUID").isEmpty());
    assertThat(laurel("verify", "other").code()).isZero();
  }
}
