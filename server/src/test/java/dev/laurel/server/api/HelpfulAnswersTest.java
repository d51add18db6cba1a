package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.laurel.server.Laurel;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What somebody reads who has made a small mistake, or looks for one thing among many. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class HelpfulAnswersTest {
  private final TestIssuer issuer = new TestIssuer();
  private TestServer server;
  private Api api;

  @BeforeAll
  void start() {
    server = TestServer.start(issuer.settings(), _ -> {});
    api = Api.admin(server);
  }

  @AfterAll
  void stop() {
    server.close();
    issuer.close();
  }

  @Test
  void fraction_whereAWholeNumberBelongs_isToldSo() {
    String path = "/v1/games/whole/scores";
    assertThat(
            api.post(path, "{'user_id':'ann','score':1.5}")
                .refused(400, "VALIDATION_ERROR")
                .message())
        .isEqualTo("score: 1.5 (expected: a whole number, 0..2000000000)");
    assertThat(
            api.post(path, "{'user_id':'ann','score':2000000001}")
                .refused(400, "VALIDATION_ERROR")
                .message())
        .isEqualTo("score: 2000000001 (expected: 0..2000000000)");
  }

  @Test
  void tokenWithoutScopes_isToldWhichOneTokensNeed() {
    String board = api.board("private");
    Api ann = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
    assertThat(ann.get(board + "/top?limit=1").refused(403, "FORBIDDEN").message())
        .isEqualTo("scope: missing (expected: a token with the scope laurel:read)");
    assertThat(
            api.key("writer", "ingest")
                .get(board + "/top?limit=1")
                .refused(403, "FORBIDDEN")
                .message())
        .isEqualTo("scope: missing (expected: a key with the scope read)");
  }

  @Test
  void largeScores_rankApartWithoutDecimals_andAreToldTheLimitWithThem() {
    String whole = api.board("exact", "'decimals':0");
    api.score(whole, "ann", "'score':9007199254740992").is(200);
    api.score(whole, "bob", "'score':9007199254740993").is(200);
    assertThat(api.get(whole + "/top?limit=2").is(200).all("/users", "score"))
        .containsExactly("9007199254740993", "9007199254740992");
    String usual = api.board("usual");
    assertThat(
            api.score(usual, "ann", "'score':9007199254740993")
                .refused(400, "INVALID_SCORE")
                .message())
        .contains("6 decimals: at most 9223372036854.775807");
  }

  @Test
  void patch_thatChangesNothing_makesNoVersion() {
    String board = api.board("still", "'name':'Still'");
    assertThat(api.patch(board, "{}").is(200).at("/version")).isEqualTo("1");
    assertThat(api.patch(board, "{'name':'Still','status':'ACTIVE'}").is(200).at("/version"))
        .isEqualTo("1");
    assertThat(api.patch(board, "{'name':'Moved'}").is(200).at("/version")).isEqualTo("2");
    assertThat(api.get(board).is(200).at("/version")).isEqualTo("2");
  }

  @Test
  void podOfABoard_canBeChangedAndTakenAway() {
    String board = api.board("fed", "'podId':'pod-1'");
    assertThat(api.patch(board, "{'podId':'pod-2'}").is(200).at("/podId")).isEqualTo("pod-2");
    assertThat(api.get(board + "?version=1").is(200).at("/podId")).isEqualTo("pod-1");
    assertThat(api.patch(board, "{'podId':null}").is(200).json().has("podId")).isFalse();
    api.patch(board, "{'podId':''}").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void pod_canBeReadAndChanged() {
    api.post("/api/v1/pods", "{'podId':'pod-7','versionField':'v'}").is(201);
    String pod = "/api/v1/pods/pod-7";
    assertThat(api.get(pod).is(200).at("/topicName")).isEqualTo("pod-pod-7-score-updates");
    assertThat(api.patch(pod, "{'versionField':'meta.schema'}").is(200).at("/versionField"))
        .isEqualTo("meta.schema");
    Answer header = api.patch(pod, "{'versionHeader':'schema'}").is(200);
    assertThat(header.at("/versionHeader")).isEqualTo("schema");
    assertThat(header.json().has("versionField")).isFalse();
    assertThat(api.patch(pod, "{}").is(200).at("/versionHeader")).isEqualTo("schema");
    assertThat(api.patch(pod, "{'versionHeader':null}").is(200).json().has("versionHeader"))
        .isFalse();
    api.patch(pod, "{'versionField':'a..b'}").refused(400, "VALIDATION_ERROR");
    api.patch(pod, "{'versionField':'a','versionHeader':'b'}").refused(400, "VALIDATION_ERROR");
    assertThat(api.get(pod).is(200).json().has("versionField")).isFalse();
    api.get("/api/v1/pods/nosuch").refused(404, "POD_NOT_FOUND");
    api.patch("/api/v1/pods/nosuch", "{'versionField':'a'}").refused(404, "POD_NOT_FOUND");
    api.key("reader", "read").patch(pod, "{}").refused(403, "FORBIDDEN");
  }

  @Test
  void user_canBeReadWithAllScoresAndTheirWindows() {
    String board =
        api.board(
            "windows",
            "'windows':[{'name':'all-time','schedule':'all-time'},"
                + "{'name':'daily','schedule':'daily'}]");
    api.score(board, "wanda", "'score':3").is(200);
    api.put("/api/v1/users/wanda/profile", "{'displayName':'Wanda'}").is(200);
    assertThat(api.get("/v1/users/wanda/scores").is(200).all("/scores", "period"))
        .containsExactlyInAnyOrder("all-time", "daily");
    Answer user = api.get("/api/v1/users/wanda").is(200);
    assertThat(user.at("/displayName")).isEqualTo("Wanda");
    assertThat(user.all("/scores", "period")).containsExactlyInAnyOrder("all-time", "daily");
    api.get("/api/v1/users/nobody-at-all").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void startUp_saysWhatIsInUseAndNoPassword(@TempDir Path folder) throws Exception {
    assertThat(startedWith(s -> s)).contains("store=SQLite", "ranks=memory", "kafka=none");
    try (RedisServer redis = RedisServer.start(folder)) {
      String url = redis.url();
      String place = url.substring(url.lastIndexOf('@') + 1).replace("redis://", "");
      assertThat(startedWith(s -> s.with(Settings.REDIS_URL, url)))
          .contains("ranks=" + place.replaceAll("/.*", ""))
          .noneMatch(pair -> pair.contains("@"));
    }
  }

  private static List<String> startedWith(UnaryOperator<Configuration> settings) {
    Logger logger = (Logger) LoggerFactory.getLogger(Laurel.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (TestServer _ = TestServer.start(settings, _ -> {})) {
      return List.copyOf(lines.list).stream()
          .filter(line -> line.getMessage().equals("started"))
          .flatMap(line -> line.getKeyValuePairs().stream())
          .map(pair -> pair.key + "=" + pair.value)
          .toList();
    } finally {
      logger.detachAppender(lines);
    }
  }
}
