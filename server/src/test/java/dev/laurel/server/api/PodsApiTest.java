package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods and schemas by HTTP, with the examples of docs/events.md. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodsApiTest {
  static final String POD_1 =
      "{'schemaVersion':'1.0','status':'ACTIVE','fieldMappings':{'userId':'playerId',"
          + "'score':'points','timestamp':'gameTime','UUID':'leaderboardUuid'},"
          + "'timestampFormat':'ISO_8601','scoreType':'integer'}";
  static final String POD_2 =
      "{'schemaVersion':'1.0','status':'ACTIVE','fieldMappings':{'userId':'customerId',"
          + "'score':'rewardPoints','timestamp':'transactionTimestamp','UUID':'leaderboardId'},"
          + "'timestampFormat':'EPOCH_MILLIS','scoreType':'double'}";
  static final String POD_3 =
      "{'schemaVersion':'1.0','status':'ACTIVE','fieldMappings':{'userId':'user.id',"
          + "'score':'score.value','timestamp':'eventTime','UUID':'context.leaderboardUuid'},"
          + "'timestampFormat':'ISO_8601','scoreType':'double'}";
  static final String EVENT_1 =
      "{'matchId':'match-abc-123','playerId':'player-789','points':2500,"
          + "'gameTime':'2024-01-15T10:30:00.000Z','leaderboardUuid':'lb-uuid-123',"
          + "'gameMode':'ranked'}";

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  @BeforeAll
  void start() {
    server = TestServer.start();
    admin = Api.admin(server);
    admin.board("lb-uuid-123", "'podId':'pod-1'");
    admin.board("open");
    pod("pod-1", POD_1);
    pod("pod-2", POD_2);
    pod("pod-3", POD_3);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void pod(String id, String schema) {
    assertThat(admin.post("/api/v1/pods", "{'podId':'" + id + "'}").is(201).at("/topicName"))
        .isEqualTo("pod-" + id + "-score-updates");
    admin.post(schemas(id), schema).is(201);
  }

  private static String schemas(String pod) {
    return "/api/v1/pods/" + pod + "/schemas";
  }

  private Answer attempt(String pod, String event) {
    return admin.post(schemas(pod) + "/try", "{'event':" + event + "}").is(200);
  }

  @Test
  void try_exampleOfTheDocument_isItsCommonEvent() {
    Answer answer = attempt("pod-1", EVENT_1);
    assertThat(answer.json().at("/event").toString())
        .isEqualTo(
            "{'eventType':'SCORE_UPDATE','podId':'pod-1','UUID':'lb-uuid-123','userId':'player-789',"
                    .replace('\'', '"')
                + "'score':2500,'timestamp':'2024-01-15T10:30:00Z','metadata':{'matchId':'match-abc-123',"
                    .replace('\'', '"')
                + "'gameMode':'ranked'}}".replace('\'', '"'));
    assertThat(answer.json().at("/errors")).isEmpty();
    assertThat(answer.at("/schemaVersion")).isEqualTo("1.0");
  }

  @Test
  void try_epochMillisAndNestedFields_areRead() {
    Answer two =
        attempt(
            "pod-2",
            "{'customerId':4711,'rewardPoints':1500.5,'transactionTimestamp':1705314600000,"
                + "'leaderboardId':'open'}");
    assertThat(two.at("/event/userId")).isEqualTo("4711");
    assertThat(two.at("/event/score")).isEqualTo("1500.5");
    assertThat(two.at("/event/timestamp")).isEqualTo("2024-01-15T10:30:00Z");
    Answer three =
        attempt(
            "pod-3",
            "{'user':{'id':'u','tier':3},'score':{'value':7},'eventTime':'2024-01-15T10:30:00+01:00',"
                + "'context':{'leaderboardUuid':'open'}}");
    assertThat(three.json().at("/event/metadata").toString()).isEqualTo("{\"user\":{\"tier\":3}}");
    assertThat(three.at("/event/timestamp")).isEqualTo("2024-01-15T09:30:00Z");
  }

  /** Each row is an event of pod-2 without what is said, and what is wrong with it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':1 | SCHEMA_MISMATCH",
        "'rewardPoints':1,'transactionTimestamp':1,'leaderboardId':'open' | SCHEMA_MISMATCH",
        "'customerId':true,'rewardPoints':1,'transactionTimestamp':1,'leaderboardId':'open' | SCHEMA_MISMATCH",
        "'customerId':'u','rewardPoints':'1','transactionTimestamp':1,'leaderboardId':'open' | INVALID_SCORE",
        "'customerId':'u','rewardPoints':{},'transactionTimestamp':1,'leaderboardId':'open' | INVALID_SCORE",
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':'now','leaderboardId':'open' | INVALID_TIMESTAMP",
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':-1,'leaderboardId':'open' | INVALID_TIMESTAMP",
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':1e999999999,'leaderboardId':'open' | INVALID_TIMESTAMP",
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':1,'leaderboardId':'nowhere' | BOARD_NOT_FOUND",
        "'customerId':'u','rewardPoints':1,'transactionTimestamp':1,'leaderboardId':'lb-uuid-123' | POD_NOT_ALLOWED",
        "'rewardPoints':'x','transactionTimestamp':'y','leaderboardId':'open' | SCHEMA_MISMATCH INVALID_SCORE INVALID_TIMESTAMP"
      })
  void try_wrongEvents_nameEveryError(String event, String codes) {
    assertThat(attempt("pod-2", "{" + event + "}").all("/errors", "code"))
        .containsExactly(codes.split(" "));
  }

  @Test
  void try_hostileNumbers_areNeverWrittenOut() {
    Answer answer =
        attempt(
            "pod-2",
            "{'customerId':'u','rewardPoints':1e999999999,'transactionTimestamp':1e-99999,"
                + "'leaderboardId':'open','x':1e-888888888}");
    assertThat(answer.text()).hasSizeLessThan(1000);
    admin
        .post(schemas("pod-2") + "/try", "{'event':{'x':1e99999999999}}")
        .refused(400, "MALFORMED_JSON");
  }

  @Test
  void try_integerType_refusesFractions() {
    assertThat(attempt("pod-1", EVENT_1.replace("2500", "2500.5")).all("/errors", "code"))
        .containsExactly("INVALID_SCORE");
    assertThat(attempt("pod-1", EVENT_1.replace("2500", "2500.0")).all("/errors", "code"))
        .isEmpty();
  }

  @Test
  void try_moreMetadataThanFits_keepsWhatFitsAndSaysSo() {
    String event = EVENT_1.replace("}", ",'long':'" + "x".repeat(5000) + "','short':'y'}");
    Answer answer = attempt("pod-1", event);
    assertThat(answer.json().at("/event/metadata").propertyNames())
        .containsExactly("matchId", "gameMode", "short", "_truncated");
  }

  @Test
  void versions_sideBySide_areChosenByFieldHeaderOrFit() {
    String v1 = POD_1.replace("'ACTIVE'", "'DRAFT'");
    String v2 = v1.replace("'1.0'", "'2.0'").replace("'points'", "'result.points'");
    for (String pod : List.of("by-field", "by-header", "by-fit")) {
      String more =
          switch (pod) {
            case "by-field" -> ",'versionField':'meta.version'";
            case "by-header" -> ",'versionHeader':'schema-version'";
            default -> "";
          };
      admin.post("/api/v1/pods", "{'podId':'" + pod + "'" + more + "}").is(201);
      admin.post(schemas(pod), v1).is(201);
      admin.post(schemas(pod), v2).is(201);
      assertThat(attempt(pod, EVENT_1).all("/errors", "code")).containsExactly("SCHEMA_NOT_FOUND");
      activate(pod, "1.0");
      activate(pod, "2.0");
    }
    String event2 = EVENT_1.replace("'points':2500", "'result':{'points':1}");
    assertThat(attempt("by-fit", EVENT_1).at("/schemaVersion")).isEqualTo("1.0");
    assertThat(attempt("by-fit", event2).at("/schemaVersion")).isEqualTo("2.0");
    // Both fit: the newest.
    assertThat(attempt("by-fit", event2.replace("}}", "},'points':3}")).at("/schemaVersion"))
        .isEqualTo("2.0");

    String named = EVENT_1.replace("}", ",'meta':{'version':'1.0'}}");
    assertThat(attempt("by-field", named).at("/schemaVersion")).isEqualTo("1.0");
    Answer wrong = attempt("by-field", named.replace("'1.0'", "'2.0'"));
    assertThat(wrong.at("/schemaVersion")).isEqualTo("2.0");
    assertThat(wrong.all("/errors", "code")).containsExactly("SCHEMA_MISMATCH");
    assertThat(attempt("by-field", named.replace("'1.0'", "'9'")).all("/errors", "code"))
        .containsExactly("SCHEMA_NOT_FOUND");
    assertThat(attempt("by-field", EVENT_1).at("/schemaVersion")).isEqualTo("1.0");

    String body = "{'event':" + EVENT_1 + ",'headers':{'schema-version':'2.0'}}";
    assertThat(admin.post(schemas("by-header") + "/try", body).at("/schemaVersion"))
        .isEqualTo("2.0");
  }

  private void activate(String pod, String version) {
    admin.patch(schemas(pod) + "/" + version, "{'status':'ACTIVE'}").is(200);
  }

  @Test
  void status_anyOtherOrder_isRefused() {
    admin.post("/api/v1/pods", "{'podId':'steps'}").is(201);
    admin.post(schemas("steps"), POD_1.replace("'ACTIVE'", "'DRAFT'")).is(201);
    String schema = schemas("steps") + "/1.0";
    admin.patch(schema, "{'status':'DEPRECATED'}").refused(409, "ILLEGAL_STATUS_CHANGE");
    admin.patch(schema, "{'status':'ACTIVE'}").is(200);
    admin.patch(schema, "{'status':'REMOVED'}").refused(409, "ILLEGAL_STATUS_CHANGE");
    admin.patch(schema, "{'status':'DEPRECATED'}").is(200);
    assertThat(attempt("steps", EVENT_1).at("/schemaVersion")).isEqualTo("1.0");
    admin.patch(schema, "{'status':'REMOVED'}").is(200);
    assertThat(attempt("steps", EVENT_1).all("/errors", "code"))
        .containsExactly("SCHEMA_NOT_FOUND");
    admin.patch(schema, "{'status':'ACTIVE'}").refused(409, "ILLEGAL_STATUS_CHANGE");
    assertThat(admin.get(schema).is(200).at("/status")).isEqualTo("REMOVED");
    assertThat(admin.get(schemas("steps")).is(200).all("/schemas", "schemaVersion"))
        .containsExactly("1.0");
  }

  @Test
  void create_takenOrWrong_isRefused() {
    admin.post("/api/v1/pods", "{'podId':'pod-1'}").refused(409, "POD_EXISTS");
    admin.post(schemas("pod-1"), POD_1).refused(409, "SCHEMA_EXISTS");
    admin.post(schemas("nowhere"), POD_1).refused(404, "POD_NOT_FOUND");
    admin
        .post(schemas("pod-1"), POD_1.replace("playerId", "a[").replace("1.0", "3"))
        .refused(400, "VALIDATION_ERROR");
    admin
        .post("/api/v1/pods", "{'podId':'two','versionField':'a','versionHeader':'b'}")
        .refused(400, "VALIDATION_ERROR");
    admin
        .post("/api/v1/topics", "{'topicName':'pod-pod-1-score-updates','numberOfPartitions':1}")
        .refused(400, "VALIDATION_ERROR");
    admin
        .post("/api/v1/topics", "{'topicName':'mine.dlt','numberOfPartitions':1}")
        .refused(400, "VALIDATION_ERROR");
    assertThat(admin.get("/api/v1/pods").is(200).all("/pods", "podId"))
        .contains("pod-1", "pod-2", "pod-3");
  }

  @Test
  void attempt_boardRefusesTheEvent_saysWhatThePipelineWouldSay() {
    admin.board("tried", "'bounds':{'min':0,'max':100}");
    admin.post("/api/v1/pods", "{'podId':'tried'}").is(201);
    admin
        .post(
            schemas("tried"),
            "{'schemaVersion':'1','status':'ACTIVE','fieldMappings':{'userId':'u','score':'s',"
                + "'timestamp':'t','UUID':'b'},'timestampFormat':'EPOCH_SECONDS',"
                + "'scoreType':'integer'}")
        .is(201);
    String event = "{'b':'tried','u':'ann','s':%d,'t':%d}";
    assertThat(attempt("tried", event.formatted(101, 1705314600)).all("/errors", "code"))
        .containsExactly("SCORE_OUT_OF_BOUNDS");
    assertThat(attempt("tried", event.formatted(1, 9_000_000_000L)).all("/errors", "code"))
        .containsExactly("TIME_IN_FUTURE");
    assertThat(attempt("tried", event.formatted(1, 1705314600)).all("/errors", "code")).isEmpty();
    admin.patch(Api.BOARDS + "/tried", "{'status':'PAUSED'}").is(200);
    assertThat(attempt("tried", event.formatted(1, 1705314600)).all("/errors", "code"))
        .containsExactly("BOARD_NOT_ACTIVE");
  }

  @Test
  void commonEvent_byHttp_countsOnItsBoard() {
    admin.board("common", "'podId':'pod-1'");
    String event =
        "{'eventId':'c-1','eventType':'SCORE_UPDATE','podId':'%s','UUID':'common',"
            + "'userId':'user123','score':1500.5,'timestamp':'2024-01-15T10:30:00Z',"
            + "'metadata':{'source':'game-match-789'}}";
    assertThat(admin.post("/api/v1/events", event.formatted("pod-1")).is(200).at("/outcome"))
        .isEqualTo("APPLIED");
    assertThat(admin.post("/api/v1/events", event.formatted("pod-1")).is(200).at("/outcome"))
        .isEqualTo("DUPLICATE");
    admin.post("/api/v1/events", event.formatted("pod-2")).refused(422, "POD_NOT_ALLOWED");
    admin
        .post("/api/v1/events", event.formatted("pod-1").replace("common", "nowhere"))
        .refused(404, "BOARD_NOT_FOUND");
  }
}
