package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a board's guard catches, who looks at it, and what comes of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class GuardApiTest {
  private final TestIssuer issuer = new TestIssuer();
  private TestServer server;
  private Api api;

  @BeforeAll
  void start() {
    server = TestServer.start(issuer.settings(), _ -> {});
    api = Api.admin(server);
    api.put("/api/v1/award-rules", "{'version':1,'rules':{'quest':25,'share':1}}").is(200);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String guarded(String uuid, String rules) {
    String board = api.board(uuid, "'update':'SUM'");
    api.put(board + "/guard", "{'rules':[" + rules + "]}").is(200);
    return board;
  }

  private Answer award(String user, String action, String board) {
    return Api.anonymous(server)
        .with("Authorization", "Bearer " + issuer.token(user))
        .post(
            "/v1/scores/award?board=" + board,
            "{'action_type':'%s','action_id':'%s'}".formatted(action, UUID.randomUUID()),
            "Idempotency-Key",
            UUID.randomUUID().toString());
  }

  @Test
  void quarantine_approvedAndRejected_countsOnlyThen() {
    String board = guarded("held", "{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}");
    assertThat(api.get(board + "/guard").is(200).at("/rules/0/threshold")).isEqualTo("100.0");
    api.score(board, "ann", "'score':10").is(200);
    assertThat(api.score(board, "ann", "'score':500.5").is(200).at("/outcome")).isEqualTo("HELD");
    assertThat(api.score(board, "bob", "'score':900").is(200).at("/outcome")).isEqualTo("HELD");
    assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("10");
    api.get(board + "/users/bob/rank").is(404);
    Answer open = api.get(board + "/anomalies?state=open").is(200);
    assertThat(open.at("/anomalies/0/userId")).isEqualTo("bob");
    assertThat(open.at("/anomalies/1/value")).isEqualTo("500.5");

    String ann = board + "/anomalies/" + open.at("/anomalies/1/line");
    String bob = board + "/anomalies/" + open.at("/anomalies/0/line");
    api.send("POST", ann + "/approve", null).is(200);
    api.send("POST", ann + "/approve", null).is(200);
    api.send("POST", ann + "/reject", null).refused(409, "ANOMALY_DECIDED");
    assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("510.5");
    api.send("POST", bob + "/reject", null).is(200);
    api.get(board + "/users/bob/rank").is(404);
    assertThat(api.get(board + "/anomalies?state=OPEN").is(200).json().get("anomalies")).isEmpty();
    api.send("POST", board + "/anomalies/999999/reject", null).refused(404, "ANOMALY_NOT_FOUND");
    assertThat(server.send(server.request("/metrics")).body())
        .contains("laurel_anomalies_total{outcome=\"QUARANTINE\",rule=\"JUMP\"}");
  }

  @Test
  void refuse_tooFast_isAnswered422() {
    String board = guarded("fast", "{'rule':'PER_MINUTE','threshold':2,'outcome':'REFUSE'}");
    api.score(board, "ann", "'score':1").is(200);
    api.score(board, "ann", "'score':1").is(200);
    api.score(board, "ann", "'score':1").refused(422, "ANOMALY_REFUSED");
    api.put(board + "/guard", "{'rules':[]}").is(200);
    api.score(board, "ann", "'score':1").is(200);
    api.put(board + "/guard", "{'rules':[{'rule':'PER_HOUR','threshold':256,'outcome':'FLAG'}]}")
        .is(400);
    api.key("writer", "ingest").put(board + "/guard", "{'rules':[]}").is(403);
  }

  @Test
  void tryGuard_onThePast_countsAndChangesNothing() {
    String board = api.board("past", "'update':'SUM'");
    for (int i = 0; i < 4; i++) {
      api.score(board, "ann", "'score':" + (i == 3 ? 700 : 5)).is(200);
    }
    Answer tried =
        api.post(
                board + "/guard/try",
                "{'rules':[{'rule':'JUMP','threshold':100,'outcome':'FLAG'},"
                    + "{'rule':'PER_MINUTE','threshold':2,'outcome':'FLAG'}]}")
            .is(200);
    assertThat(tried.at("/submissions")).isEqualTo("4");
    assertThat(tried.at("/rules/0/caught")).isEqualTo("1");
    assertThat(tried.at("/rules/0/examples/0/score")).isEqualTo("700");
    assertThat(tried.at("/rules/1/caught")).isEqualTo("2");
    assertThat(api.get(board + "/anomalies").is(200).json().get("anomalies")).isEmpty();
  }

  /** What a worker inserts that hears of awards: who, why, and what it has measured. */
  @Test
  void report_ofAWorker_isInTheQueueUntilSomebodyDecides() {
    String board = api.board("reported", "'update':'SUM'");
    api.score(board, "ann", "'score':10").is(200);
    api.score(board, "ann", "'score':20").is(200);
    Api worker = api.key("worker", "ingest");
    String report = "{'userId':'ann','reason':'velocity','details':{'z_score':7.2}}";
    Answer made = worker.post(board + "/anomalies", report, "Idempotency-Key", "r1").is(201);
    assertThat(made.at("/rule")).isEqualTo("REPORTED");
    assertThat(made.at("/state")).isEqualTo("OPEN");
    assertThat(made.at("/report/reason")).isEqualTo("velocity");
    assertThat(made.at("/report/by")).isEqualTo("worker");
    assertThat(worker.post(board + "/anomalies", report, "Idempotency-Key", "r1").replayed())
        .isTrue();
    // It counts as before.
    assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("30");
    Answer open = api.get(board + "/anomalies?state=open").is(200);
    assertThat(open.json().get("anomalies")).hasSize(1);
    assertThat(open.at("/anomalies/0/report/details/z_score")).isEqualTo("7.2");
    String line = open.at("/anomalies/0/line");
    // Another look at the same line replaces the first.
    worker.post(board + "/anomalies", "{'line':" + line + ",'reason':'a bot'}").is(201);
    assertThat(api.get(board + "/anomalies").is(200).at("/anomalies/0/report/reason"))
        .isEqualTo("a bot");
    worker.get(board + "/anomalies").refused(403, "FORBIDDEN");
    worker.send("POST", board + "/anomalies/" + line + "/reject", null).is(403);
    api.send("POST", board + "/anomalies/" + line + "/reject", null).is(200);
    assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("10");
    worker
        .post(board + "/anomalies", "{'line':" + line + ",'reason':'again'}")
        .refused(409, "ANOMALY_DECIDED");
    // What is reported of somebody is in their export, and goes with them.
    api.score(board, "bob", "'score':1").is(200);
    worker.post(board + "/anomalies", "{'userId':'bob','reason':'his mother said'}").is(201);
    assertThat(api.get("/api/v1/users/bob/export").is(200).text()).contains("his mother said");
    api.delete("/api/v1/users/bob").is(204);
    assertThat(api.get(board + "/anomalies").is(200).text()).doesNotContain("mother");
  }

  @Test
  void report_ofWhatIsNotThere_isRefused() {
    String board = api.board("unreported", "'update':'SUM'");
    api.score(board, "ann", "'score':10").is(200);
    String path = board + "/anomalies";
    api.post(path, "{'userId':'ann'}").refused(400, "VALIDATION_ERROR");
    api.post(path, "{'reason':'x'}").refused(400, "VALIDATION_ERROR");
    api.post(path, "{'userId':'ann','line':1,'reason':'x'}").refused(400, "VALIDATION_ERROR");
    api.post(path, "{'userId':'ann','reason':' '}").refused(400, "VALIDATION_ERROR");
    api.post(path, "{'userId':'ann','reason':'x','details':[]}").refused(400, "VALIDATION_ERROR");
    api.post(path, "{'userId':'nobody-here','reason':'x'}").refused(404, "USER_NOT_FOUND");
    api.post(path, "{'line':999999,'reason':'x'}").refused(404, "LINE_NOT_FOUND");
    // Somebody whom the tenant knows from another board only.
    api.score(api.board("elsewhere"), "zoe", "'score':1").is(200);
    api.post(path, "{'userId':'zoe','reason':'x'}").refused(404, "LINE_NOT_FOUND");
    assertThat(api.get(path).is(200).json().get("anomalies")).isEmpty();
    api.put(board + "/guard", "{'rules':[{'rule':'REPORTED','threshold':1,'outcome':'FLAG'}]}")
        .refused(400, "VALIDATION_ERROR");
  }

  /** A guard's catch and a worker's report are one case for whoever looks at it. */
  @Test
  void report_ofWhatAGuardHolds_staysHeldAndSaysBoth() {
    String board = guarded("both", "{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}");
    assertThat(api.score(board, "ann", "'score':500").is(200).at("/outcome")).isEqualTo("HELD");
    String line = api.get(board + "/anomalies").is(200).at("/anomalies/0/line");
    Answer both = api.post(board + "/anomalies", "{'line':" + line + ",'reason':'a bot'}").is(201);
    assertThat(both.at("/rule")).isEqualTo("JUMP");
    assertThat(both.at("/outcome")).isEqualTo("QUARANTINE");
    api.get(board + "/users/ann/rank").is(404);
    api.send("POST", board + "/anomalies/" + line + "/approve", null).is(200);
    assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("500");
  }

  /** Held awards take their key and action, and are answered with the total as it is. */
  @Test
  void award_held_answersTheOldTotal() {
    award("carl", "share", "global").is(200);
    String board = Api.BOARDS + "/global";
    api.put(board + "/guard", "{'rules':[{'rule':'JUMP','threshold':20,'outcome':'QUARANTINE'}]}")
        .is(200);
    Answer held = award("carl", "quest", "global").is(200);
    assertThat(held.at("/total")).isEqualTo("1");
    assertThat(held.at("/held")).isEqualTo("true");
    assertThat(award("dora", "quest", "global").is(200).at("/total")).isEqualTo("0");
    api.put(
            board + "/guard",
            "{'rules':[{'rule':'USERS_PER_ADDRESS','threshold':3,'outcome':'REFUSE'}]}")
        .is(200);
    award("eve", "share", "global").is(200); // the third, after carl and dora
    award("eve", "share", "global").is(200);
    award("fay", "share", "global").refused(422, "ANOMALY_REFUSED");
  }
}
