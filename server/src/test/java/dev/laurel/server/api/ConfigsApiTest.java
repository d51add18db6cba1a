package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Configurations: onboarding, versions, scoring, capacity. */
class ConfigsApiTest {
  private static final String CONFIGS = "/leaderboards/config";

  /** A monthly board that runs from the 1st to the 7th, over the document's sample event. */
  private static final String MONTHLY =
      """
      {"tenantId":"default","name":"Monthly spenders",
       "featureConfig":{"features":[
         {"name":"transactionAmount","dataType":"FLOAT","required":true},
         {"name":"transactionCount","dataType":"INTEGER","required":true},
         {"name":"successfulPayments","dataType":"INTEGER","required":false}]},
       "rankingOrder":"HIGHEST_FIRST",
       "scoringStrategy":{"spelExpression":"transactionCount * 5 + #transactionAmount * 0.1",
         "features":["transactionAmount","transactionCount"]},
       "recurringConfig":{"cronExpression":"0 0 0 1 * ?","duration":"P7D"},
       "topicName":"payments","writeQPS":600,"startTime":"2025-11-01T00:00:00Z"}
      """;

  private final ManualClock clock = new ManualClock(Instant.parse("2025-12-03T12:00:00Z"));

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

  private String create() {
    api.post("/api/v1/topics", "{'topicName':'payments','numberOfPartitions':1}").is(201);
    return api.post(CONFIGS, MONTHLY).is(201).at("/configId");
  }

  private static String event(String config, String user, String timestamp) {
    return """
        {"leaderboardConfigId":"%s","userId":"%s","timestamp":"%s","features":{
          "transactionAmount":5000.50,"transactionCount":12,"averageTransactionValue":416.71,
          "successfulPayments":11,"failedPayments":1}}"""
        .formatted(config, user, timestamp);
  }

  @Test
  void monthlyBoard_fromDraftToRanks_runsAsTheDocumentSays() {
    api.post("/api/v1/topics", "{'topicName':'payments','numberOfPartitions':1}").is(201);
    Answer created = api.post(CONFIGS, MONTHLY).is(201);
    String id = created.at("/configId");
    assertThat(created.at("/status")).isEqualTo("DRAFT");
    assertThat(created.at("/ties")).isEqualTo("SHARED");
    // 10 * 5 + 2.5 * 0.1
    assertThat(created.at("/sample/score")).isEqualTo("50.25");
    assertThat(api.get(CONFIGS + "/" + id + "/instances").is(200).json().at("/instances"))
        .isEmpty();
    api.post("/api/v1/events", event(id, "early", "2025-12-03T11:00:00Z"))
        .refused(409, "BOARD_NOT_ACTIVE");

    api.patch(CONFIGS + "/" + id, "{'status':'ACTIVE'}").is(200);
    Answer instances = api.get(CONFIGS + "/" + id + "/instances").is(200);
    assertThat(instances.all("/instances", "startTime")).containsExactly("2025-12-01T00:00:00Z");
    assertThat(instances.at("/instances/0/endTime")).isEqualTo("2025-12-08T00:00:00Z");
    assertThat(instances.at("/instances/0/label"))
        .isEqualTo("monthly-spenders-2025-12-01-recurring");
    assertThat(created.at("/recurringConfig/duration")).isEqualTo("P7D");
    assertThat(instances.at("/instances/0/status")).isEqualTo("ACTIVE");
    String instance = instances.at("/instances/0/instanceId");

    Answer scored = api.post("/api/v1/events", event(id, "user_12345", "2025-12-03T11:00:00Z"));
    // 12 * 5 + 5000.50 * 0.1, exactly
    assertThat(scored.is(200).at("/score")).isEqualTo("560.05");
    api.post("/api/v1/events", event(id, "user_2", "2025-12-03T11:30:00Z")).is(200);
    Answer top = api.get("/leaderboards/" + instance + "/top?k=5").is(200);
    assertThat(top.all("/users", "rank")).containsExactly("1", "1");
    assertThat(api.get("/leaderboards/" + instance + "/rank/user_2").is(200).number("/rank"))
        .isEqualTo(1);

    api.post("/api/v1/events", event(id, "late", "2025-11-03T11:00:00Z"))
        .refused(422, "SEASON_CLOSED");
    api.post("/api/v1/events", event(id, "between", "2025-11-20T11:00:00Z"))
        .refused(422, "TIME_OUT_OF_RANGE");
    api.post("/api/v1/events", event(id, "first", "2025-10-20T11:00:00Z"))
        .refused(422, "SEASON_NOT_STARTED");
  }

  @Test
  void create_whatIsWrong_isSaidInTheDocumentsOrder() {
    api.post(CONFIGS, MONTHLY).refused(400, "TOPIC_NOT_FOUND");
    api.post(CONFIGS, MONTHLY.replace("\"default\"", "\"acme\"")).refused(400, "TENANT_NOT_FOUND");
    // The payload comes first.
    String other = MONTHLY.replace("\"default\"", "\"acme\"");
    api.post(CONFIGS, other.replace("* 5", "* nothing")).refused(400, "EXPRESSION_INVALID");
    api.post(CONFIGS, other.replace("0 0 0 1 * ?", "often")).refused(400, "VALIDATION_ERROR");
    api.post(CONFIGS, other.replace("transactionCount * 5", "T(java.lang.Runtime)"))
        .refused(400, "EXPRESSION_INVALID");
    api.post(CONFIGS, other.replace("\"name\":\"Monthly spenders\",", ""))
        .refused(400, "VALIDATION_ERROR");
    assertThat(api.get(CONFIGS).is(200).number("/total")).isZero();
  }

  @Test
  void capacity_ofATopic_isNotSpentTwice() {
    create();
    Answer refused = api.post(CONFIGS, MONTHLY).refused(400, "TOPIC_CAPACITY_EXCEEDED");
    assertThat(refused.message()).contains("at most 400");
    assertThat(refused.number("/error/details/left")).isEqualTo(400);
    String second = api.post(CONFIGS, MONTHLY.replace("600", "400")).is(201).at("/configId");
    assertThat(api.get("/api/v1/topics").is(200).number("/topics/0/writeQPSUsed")).isEqualTo(1000);
    api.put(CONFIGS + "/" + second, "{'writeQPS':401}").refused(400, "TOPIC_CAPACITY_EXCEEDED");
    api.put(CONFIGS + "/" + second, "{'writeQPS':100}").is(200);
    api.post("/api/v1/topics", "{'topicName':'payments','numberOfPartitions':1}")
        .refused(409, "TOPIC_EXISTS");
  }

  @Test
  void edit_ofARunningConfig_makesAVersionAndKeepsTheOld() {
    String id = create();
    String config = CONFIGS + "/" + id;
    api.patch(config, "{'status':'ACTIVE'}").is(200);
    api.post("/api/v1/events", event(id, "a", "2025-12-03T11:00:00Z")).is(200);
    Answer edited =
        api.put(config, "{'scoringStrategy':{'spelExpression':'transactionCount'}}").is(200);
    assertThat(edited.number("/version")).isEqualTo(3);
    Answer scored = api.post("/api/v1/events", event(id, "b", "2025-12-03T11:00:00Z")).is(200);
    assertThat(scored.at("/score")).isEqualTo("12");
    assertThat(api.get(config + "?version=1").is(200).at("/scoringStrategy/spelExpression"))
        .startsWith("transactionCount * 5");
    api.get(config + "?version=9").refused(404, "CONFIG_NOT_FOUND");
    api.put(config, "{'rankingOrder':'LOWEST_FIRST'}").refused(409, "IMMUTABLE_FIELD");
    api.put(config, "{'decimals':2}").refused(409, "IMMUTABLE_FIELD");
    api.put(config, "{'rankingOrder':'HIGHEST_FIRST'}").is(200);
    api.patch(config, "{'status':'DRAFT'}").refused(409, "ILLEGAL_STATUS_CHANGE");
  }

  @Test
  void tryOut_features_areScoredAndNotStored() {
    String id = create();
    String attempt = CONFIGS + "/" + id + "/try";
    Answer tried =
        api.post(attempt, "{'features':{'transactionAmount':0.3,'transactionCount':1}}").is(200);
    assertThat(tried.at("/score")).isEqualTo("5.03");
    api.post(attempt, "{'features':{'transactionAmount':1}}").refused(400, "FEATURE_MISSING");
    api.post(attempt, "{'features':{'transactionAmount':'1','transactionCount':1}}")
        .refused(400, "FEATURE_INVALID");
    api.post(attempt, "{'features':{'transactionAmount':1e999999999,'transactionCount':1}}")
        .refused(400, "FEATURE_INVALID");
  }

  @Test
  void events_inAnArray_haveEachTheirOutcome() {
    String id = create();
    api.patch(CONFIGS + "/" + id, "{'status':'ACTIVE'}").is(200);
    String good = event(id, "a", "2025-12-03T11:00:00Z");
    String once = good.replace("\"userId\"", "\"eventId\":\"e1\",\"userId\"");
    Answer answer =
        api.post(
                "/api/v1/events",
                "[" + String.join(",", once, once, event("nope", "b", "x"), "7") + "]")
            .is(200);
    assertThat(answer.all("/results", "outcome"))
        .containsExactly("APPLIED", "DUPLICATE", "REJECTED", "REJECTED");
    api.post("/api/v1/events", good.replace("\"userId\"", "\"extra\":1,\"userId\""))
        .refused(400, "UNKNOWN_FIELD");
    api.post("/api/v1/events", "[]").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void tenants_madeByTheAdmin_seeOnlyTheirOwn() {
    String id = create();
    api.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    api.post("/api/v1/tenants", "{'tenantId':'acme','name':'Again'}").refused(409, "TENANT_EXISTS");
    Api acme = api.with("Laurel-Tenant", "acme");
    acme.get(CONFIGS + "/" + id).refused(404, "CONFIG_NOT_FOUND");
    acme.post(CONFIGS, MONTHLY.replace("\"default\"", "\"acme\"")).refused(400, "TOPIC_NOT_FOUND");
    acme.post("/api/v1/events", event(id, "a", "2025-12-03T11:00:00Z"))
        .refused(404, "CONFIG_NOT_FOUND");
    assertThat(acme.get("/api/v1/topics").is(200).json().at("/topics")).isEmpty();
  }
}
