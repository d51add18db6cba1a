package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Edits of boards: nobody undoes another's, and each says what it does to seasons. */
class EditsApiTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    server = TestServer.start(clock);
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void patch_ofAVersionThatIsNotInForce_is412AndChangesNothing() {
    String board = api.board("lost");
    String read = api.get(board).is(200).header("ETag");
    assertThat(read).isEqualTo("\"1\"");
    Answer first = api.patch(board, "{'name':'first'}", "If-Match", read).is(200);
    assertThat(first.header("ETag")).isEqualTo("\"2\"");
    Answer second = api.patch(board, "{'name':'second'}", "If-Match", read);
    second.refused(412, "VERSION_MISMATCH");
    assertThat(api.get(board).at("/name")).isEqualTo("first");
    for (String none : List.of("\"99\"", "W/\"2\"", "2", "\"x\"", "", "\"3\", W/\"2\"")) {
      api.patch(board, "{'name':'none'}", "If-Match", none).refused(412, "VERSION_MISMATCH");
    }
    api.patch(board, "{'name':'any'}", "If-Match", "*").is(200);
    api.patch(board, "{'name':'one of them'}", "If-Match", "\"1\", \"3\"").is(200);
    assertThat(api.get(board).header("ETag")).isEqualTo("\"4\"");
  }

  /** A retry is the same edit, also if it names the version of before. */
  @Test
  void patch_retriedWithItsKey_getsTheFirstAnswer() {
    String board = api.board("retry");
    for (int i = 0; i < 2; i++) {
      Answer answer =
          api.patch(board, "{'name':'x'}", "If-Match", "\"1\"", "Idempotency-Key", "k").is(200);
      assertThat(answer.number("/version")).isEqualTo(2);
    }
  }

  @Test
  void windows_addedAtOnceByTwo_areBothThere() {
    String board = api.board("both");
    List<CompletableFuture<Answer>> edits =
        List.of("daily", "weekly", "monthly").stream()
            .map(
                name ->
                    CompletableFuture.supplyAsync(
                        () -> api.put(board + "/windows/" + name, "{'schedule':'" + name + "'}"),
                        task -> Thread.ofVirtual().start(task)))
            .toList();
    edits.forEach(edit -> edit.join().is(200));
    assertThat(api.get(board).all("/windows", "name"))
        .containsExactlyInAnyOrder("all-time", "daily", "weekly", "monthly");
  }

  @Test
  void windows_oneByOne_areChangedAndRemovedAlone() {
    String board =
        api.board(
            "single",
            "'windows':[{'schedule':'all-time','capacity':5},{'schedule':'daily','timeZone':'Asia/Tokyo',"
                + "'prizes':[{'name':'gold','from':1}]}]");
    Answer changed =
        api.put(board + "/windows/daily", "{'schedule':'daily','name':'daily','grace':'PT1M'}")
            .is(200);
    assertThat(changed.all("/windows", "name")).containsExactly("all-time", "daily");
    assertThat(changed.at("/windows/0/capacity")).isEqualTo("5");
    assertThat(changed.at("/windows/1/grace")).isEqualTo("PT1M");
    assertThat(changed.at("/windows/1/timeZone")).isEqualTo("UTC");

    String other = "{'schedule':'daily','name':'other'}";
    api.put(board + "/windows/daily", other).refused(409, "IMMUTABLE_FIELD");
    api.put(board + "/windows/Daily", "{'schedule':'daily'}").refused(400, "VALIDATION_ERROR");
    api.put(board + "/windows/daily", "{'schedule':'hourly'}", "If-Match", "\"1\"")
        .refused(412, "VERSION_MISMATCH");

    Answer tried = api.delete(board + "/windows/all-time?dryRun=true").is(200);
    assertThat(tried.at("/dryRun")).isEqualTo("true");
    assertThat(tried.all("/seasonChanges", "change")).containsExactly("ENDED");
    assertThat(api.get(board).all("/windows", "name")).containsExactly("all-time", "daily");

    Answer removed = api.delete(board + "/windows/all-time").is(200);
    assertThat(removed.all("/windows", "name")).containsExactly("daily");
    assertThat(removed.at("/seasonChanges/0/season/label")).isEqualTo("single-all-time");
    assertThat(removed.at("/seasonChanges/0/season/status")).isEqualTo("COMPLETED");
    api.delete(board + "/windows/all-time").refused(404, "PERIOD_NOT_FOUND");
    api.delete(board + "/windows/daily").refused(409, "LAST_WINDOW");
  }

  @Test
  void get_olderVersion_isAsItWasAndForItsTenantOnly() {
    String board = api.board("old", "'visibility':'PRIVATE'", "'name':'secret plan'");
    api.patch(board, "{'name':'shown','visibility':'PUBLIC','windows':[{'schedule':'daily'}]}")
        .is(200);
    Answer first = api.get(board + "?version=1").is(200);
    assertThat(first.at("/name")).isEqualTo("secret plan");
    assertThat(first.at("/version")).isEqualTo("1");
    assertThat(first.header("ETag")).isEqualTo("\"1\"");
    assertThat(first.all("/windows", "name")).containsExactly("all-time");
    assertThat(api.get(board + "?version=2").is(200).at("/name")).isEqualTo("shown");
    api.get(board + "?version=3").refused(404, "VERSION_NOT_FOUND");
    api.get(board + "?version=0").refused(400, "VALIDATION_ERROR");
    Api stranger = Api.anonymous(server);
    stranger.get(board).is(200);
    assertThat(stranger.get(board + "?version=1").status()).isEqualTo(401);
  }

  /** A board that ended goes on when its end is moved; ids that were given away stay good. */
  @Test
  void patch_endMovedAfterItHasPassed_saysThatTheSeasonGoesOn() {
    String board =
        api.board(
            "ext",
            "'update':'SUM'",
            "'endTime':'2026-11-14T13:00:00Z'",
            "'windows':[{'schedule':'all-time','grace':'PT0S'}]");
    api.score(board, "ann", "'score':5").is(200);
    String season = api.get(board + "/seasons").at("/seasons/0/instanceId");
    clock.set(Instant.parse("2026-11-14T14:00:00Z"));
    Poll.until(
        "the season is final",
        () -> api.get(board + "/seasons").at("/seasons/0/final").equals("true"));
    String moved = "{'endTime':'2026-11-15T00:00:00Z','startTime':'2026-11-01T00:00:00Z'}";
    Answer tried = api.patch(board + "?dryRun=true", moved).is(200);
    assertThat(tried.all("/seasonChanges", "change")).containsExactly("REOPENED");
    assertThat(api.get(board).at("/version")).isEqualTo("1");
    Answer done = api.patch(board, moved).is(200);
    assertThat(done.all("/seasonChanges", "change")).containsExactly("REOPENED");
    assertThat(done.at("/seasonChanges/0/season/endTime")).isEqualTo("2026-11-15T00:00:00Z");
    api.score(board, "ann", "'score':1").is(200);
    assertThat(api.get(board + "/users/ann/rank?season=" + season).is(200).number("/score"))
        .isEqualTo(6);
    assertThat(api.get(board + "/seasons").all("/seasons", "label"))
        .containsExactly("ext-all-time");
    api.patch(board, "{'endTime':null}").is(200);
  }

  @Test
  void prizes_shareThatWouldBeRounded_isRefused() {
    for (String wrong : List.of("0", "0.001", "0.005", "100.001", "33.333", "-1", "1e-9")) {
      api.post(
              Api.BOARDS,
              "{'UUID':'p','windows':[{'schedule':'all-time','prizes':[{'name':'a','percent':%s}]}]}"
                  .formatted(wrong))
          .refused(400, "VALIDATION_ERROR");
    }
    for (String right : List.of("0.01", "100", "33.33", "1e1", "10.000")) {
      api.board(
          "p" + right.replace('.', '-'),
          "'windows':[{'schedule':'all-time','prizes':[{'name':'a','percent':%s}]}]"
              .formatted(right));
    }
  }
}
