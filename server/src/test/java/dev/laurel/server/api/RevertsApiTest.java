package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.cli.ExitCode;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Submissions are undone, over HTTP and by the command. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class RevertsApiTest {
  @TempDir Path folder = Path.of("");
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
  }

  private void expect(String board, String user, String score, int rank) {
    Answer now = api.get(board + "/users/" + user + "/rank").is(200);
    assertThat(now.at("/score")).isEqualTo(score);
    assertThat(now.at("/rank")).isEqualTo(Integer.toString(rank));
  }

  @Test
  void revert_theLastOfAUser_showsItFirstAndThenDoesIt() {
    String board = api.board("last", "'update':'BEST'");
    api.score(board, "ann", "'score':10").is(200);
    api.score(board, "bob", "'score':20").is(200);
    api.score(board, "ann", "'score':900").is(200);
    Answer dry = api.post(board + "/reverts", "{'userId':'ann','last':1,'dryRun':true}").is(200);
    assertThat(dry.at("/changes/0/before/rank")).isEqualTo("1");
    assertThat(dry.at("/changes/0/after/score")).isEqualTo("10");
    assertThat(dry.at("/changes/0/after/rank")).isEqualTo("2");
    expect(board, "ann", "900", 1);

    String[] key = {"Idempotency-Key", "once"};
    String body = "{'userId':'ann','last':1,'reason':'a script'}";
    Answer done = api.post(board + "/reverts", body, key).is(200);
    expect(board, "ann", "10", 2);
    assertThat(api.post(board + "/reverts", body, key).is(200).text()).isEqualTo(done.text());
    expect(board, "ann", "10", 2);
    api.post(board + "/reverts", "{'userId':'ann','last':1}").is(200);
    api.get(board + "/users/ann/rank").is(404);
    assertThat(api.post(board + "/reverts", "{'userId':'ann','last':1}").is(200).at("/lines"))
        .isEqualTo("0");
  }

  @Test
  void revert_aSourceInATimeSpan_undoesNothingElse() {
    String board = api.board("source", "'update':'SUM'");
    api.score(board, "ann", "'score':1,'eventId':'good-1'").is(200);
    api.score(board, "ann", "'score':5,'eventId':'bad-1'").is(200);
    api.score(board, "bob", "'score':7,'eventId':'bad-2'").is(200);
    String span = "'from':'2020-01-01T00:00:00Z','to':'2100-01-01T00:00:00Z'";
    api.post(
            board + "/reverts",
            "{'source':{'eventIdPrefix':'bad-','from':'2020-01-01T00:00:00Z','to':'2020-01-02T00:00:00Z'}}")
        .is(200);
    expect(board, "bob", "7", 1);
    Answer done =
        api.post(board + "/reverts", "{'source':{'eventIdPrefix':'bad-'," + span + "}}").is(200);
    assertThat(done.at("/submissions")).isEqualTo("2");
    expect(board, "ann", "1", 1);
    api.get(board + "/users/bob/rank").is(404);
    api.post(board + "/reverts", "{'source':{" + span + "}}").is(400);
    api.post(board + "/reverts", "{'line':1,'userId':'ann','last':1}").is(400);
    api.post(board + "/reverts", "{'line':999999}").is(404);
    api.post(board + "/reverts", "{'userId':'nobody','last':1}").is(404);
    api.key("reader", "read").post(board + "/reverts", "{'line':1}").is(403);
  }

  @Test
  void revert_anAward_takesItsPointsBack() {
    api.put("/api/v1/award-rules", "{'version':1,'rules':{'quest':25}}").is(200);
    Api user = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("carl"));
    user.post(
            "/v1/scores/award",
            "{'action_type':'quest','action_id':'a1'}",
            "Idempotency-Key",
            UUID.randomUUID().toString())
        .is(200);
    assertThat(user.get("/v1/users/me/score").is(200).at("/total")).isEqualTo("25");
    String metadata =
        api.get(Api.BOARDS + "/global/users/carl/rank").is(200).at("/metadata/award_id");
    api.post(Api.BOARDS + "/global/reverts", "{'awardId':'" + metadata + "'}").is(200);
    api.get(Api.BOARDS + "/global/users/carl/rank").is(404);
  }

  @Test
  void revert_allOfAnIssuer_takesAwardsBackAndNothingThatAKeySent() {
    api.put("/api/v1/award-rules", "{'version':2,'rules':{'quest':25}}").is(200);
    Api user = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("dora"));
    String once = UUID.randomUUID().toString();
    user.post(
            "/v1/scores/award", "{'action_type':'quest','action_id':'d1'}", "Idempotency-Key", once)
        .is(200);
    api.score(Api.BOARDS + "/global", "dora", "'score':3").is(200);
    String span = "'from':'2020-01-01T00:00:00Z','to':'2100-01-01T00:00:00Z'";
    for (String other : new String[] {"'issuer':'https://other.example'", "'topic':'scores'"}) {
      String source = "{'source':{" + other + "," + span + "},'dryRun':true}";
      assertThat(api.post(Api.BOARDS + "/global/reverts", source).is(200).at("/submissions"))
          .isEqualTo("0");
    }
    String issuerOfTokens = "'issuer':'" + TestIssuer.ISSUER + "'";
    api.post(Api.BOARDS + "/global/reverts", "{'source':{" + issuerOfTokens + "," + span + "}}")
        .is(200);
    assertThat(api.get(Api.BOARDS + "/global/users/dora/rank").is(200).at("/score")).isEqualTo("3");
    Answer two =
        api.post(
                Api.BOARDS + "/global/reverts",
                "{'source':{'podId':'a'," + issuerOfTokens + "," + span + "}}")
            .is(400);
    assertThat(two.at("/error/message")).contains("issuer").contains("podId");
    api.post(Api.BOARDS + "/global/reverts", "{'source':{'issuer':' '," + span + "}}").is(400);
    Answer pod =
        api.post(Api.BOARDS + "/global/reverts", "{'source':{'podId':'fsp'," + span + "}}").is(404);
    assertThat(pod.at("/error/code")).isEqualTo("POD_NOT_FOUND");
  }

  @Test
  void command_withoutYes_showsAndChangesNothing() {
    String board = api.board("cli", "'update':'SUM'");
    api.score(board, "ann", "'score':10").is(200);
    api.score(board, "ann", "'score':5").is(200);
    Cli shown = Cli.run(server, folder, "revert", "cli", "--user", "ann", "--last", "1");
    assertThat(shown.out()).contains("15 (#1)").contains("10 (#1)");
    assertThat(shown.code()).isEqualTo(ExitCode.USAGE);
    expect(board, "ann", "15", 1);
    Cli done = Cli.run(server, folder, "revert", "cli", "--user", "ann", "--last", "1", "--yes");
    assertThat(done.code()).as(done.err()).isZero();
    expect(board, "ann", "10", 1);
    assertThat(Cli.run(server, folder, "revert", "cli").code()).isEqualTo(ExitCode.USAGE);
    Cli nobody = Cli.run(server, folder, "revert", "cli", "--line", "99999", "--yes");
    assertThat(nobody.code()).isEqualTo(ExitCode.CALL_FAILED);
  }
}
