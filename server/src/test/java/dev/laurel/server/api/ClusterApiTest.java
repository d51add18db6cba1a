package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers on one PostgreSQL, as their callers see them. */
class ClusterApiTest {
  @SuppressWarnings("NullAway.Init") // set before all tests
  private static TestServer first;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static TestServer second;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Api one;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Api two;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** At the same moment, on a database that neither has seen. */
  @BeforeAll
  static void start() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    CompletableFuture<TestServer> other = CompletableFuture.supplyAsync(() -> node(url));
    first = node(url);
    second = other.join();
    one = Api.admin(first);
    two = Api.admin(second);
  }

  private static TestServer node(String url) {
    return TestServer.start(settings -> settings.with(Settings.DATABASE_URL, url), _ -> {});
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
  }

  @Test
  void configuration_changedOnOneNode_isUsedByTheOther() {
    String board = one.board("seen");
    Poll.until("the board", () -> two.get(board).status() == 200);
    two.patch(board, "{'name':'renamed'}").is(200);
    Poll.until("its name", () -> one.get(board).at("/name").equals("renamed"));

    Answer key = one.post("/api/v1/keys", "{'name':'k','scopes':['read']}").is(201);
    Api reader = Api.anonymous(second).with("X-API-Key", key.at("/key"));
    Poll.until("the key", () -> reader.get(board + "/top?limit=1").status() == 200);
    one.delete("/api/v1/keys/" + key.at("/keyId")).is(204);
    Poll.until("the revocation", () -> reader.get(board + "/top?limit=1").status() == 401);
  }

  @Test
  void awards_onTwoNodes_haveTheSameRulesAndCountOnce() {
    try (TestIssuer issuer = new TestIssuer()) {
      String keys = issuer.keySet().replace('"', '\'');
      one.post(
              "/api/v1/issuers",
              "{'issuer':'%s','audience':'%s','jwks':%s}"
                  .formatted(TestIssuer.ISSUER, TestIssuer.AUDIENCE, keys))
          .is(201);
      one.put("/api/v1/award-rules", "{'version':1,'rules':{'watch_video':25}}").is(200);
      String bearer = "Bearer " + issuer.token("ann");
      Api here = Api.anonymous(first).with("Authorization", bearer);
      Api there = Api.anonymous(second).with("Authorization", bearer);
      Poll.until("the issuer", () -> there.get("/v1/leaderboard").status() == 200);
      Poll.until("the rules", () -> two.get("/api/v1/award-rules").status() == 200);
      String award =
          "{'action_type':'watch_video','action_id':'a1',"
              + "'idempotency_key':'6f9f2e67-0d0a-4a52-9b6e-1f6f3f0c7f11'}";
      here.post("/v1/scores/award", award).is(200);
      assertThat(there.post("/v1/scores/award", award).is(200).replayed()).isTrue();
      there.post("/v1/scores/award", award.replace("6f9f", "7f9f")).refused(409, "ACTION_REPLAYED");
      one.put("/api/v1/award-switch", "{'enabled':false}").is(200);
      Poll.until(
          "the switch",
          () -> there.post("/v1/scores/award", award.replace("a1", "a2")).status() == 422);
    }
  }

  /** Boards of two shards: no lock is common to them, and still each action is paid once. */
  @Test
  void awards_sameActionOnTwoBoardsAndNodesAtOnce_isPaidOnce() {
    try (TestIssuer issuer = new TestIssuer()) {
      one.post("/api/v1/tenants", "{'tenantId':'twice','name':'Twice'}").is(201);
      Api here = one.with("Laurel-Tenant", "twice");
      Poll.until(
          "the tenant",
          () -> two.with("Laurel-Tenant", "twice").get("/api/v1/issuers").status() == 200);
      here.post(
              "/api/v1/issuers",
              "{'issuer':'%s','audience':'twice','jwks':%s}"
                  .formatted(TestIssuer.ISSUER, issuer.keySet().replace('"', '\'')))
          .is(201);
      List<String> boards = List.of("b0", "b1", "b2", "b3");
      boards.forEach(board -> here.board(board, "'update':'SUM'", "'decimals':0"));
      here.put(
              "/api/v1/award-rules",
              "{'version':1,'rules':{'quest':1},'boards':['b0','b1','b2','b3']}")
          .is(200);
      Poll.until(
          "the rules",
          () -> two.with("Laurel-Tenant", "twice").get("/api/v1/award-rules").status() == 200);
      int actions = 40;
      List<CompletableFuture<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < actions; i++) {
        // A user each, so that no rate is exceeded.
        String bearer = "Bearer " + issuer.token("u" + i, c -> c.audience("twice"));
        for (int b = 0; b < boards.size(); b++) {
          Api node = Api.anonymous(b % 2 == 0 ? first : second).with("Authorization", bearer);
          String path = "/v1/scores/award?board=" + boards.get(b);
          statuses.add(
              CompletableFuture.supplyAsync(
                  () ->
                      node.post(
                              path,
                              "{'action_type':'quest','action_id':'same'}",
                              "Idempotency-Key",
                              UUID.randomUUID().toString())
                          .status(),
                  threads));
        }
      }
      List<Integer> all = statuses.stream().map(CompletableFuture::join).toList();
      assertThat(all).containsOnly(200, 409);
      assertThat(all.stream().filter(status -> status == 200)).hasSize(actions);
    }
  }

  @Test
  void profilesAndErasures_onOneNode_areSeenByTheOther() {
    String board = one.board("private", "'visibility':'PUBLIC'");
    Poll.until("the board", () -> two.get(board).status() == 200);
    one.score(board, "ann", "'score':3,'metadata':{'n':1}").is(200);
    two.score(board, "bob", "'score':2").is(200);
    one.put("/api/v1/users/ann/profile", "{'displayName':'A'}").is(200);
    Poll.until(
        "the name", () -> two.get(board + "/top?limit=2").at("/users/0/displayName").equals("A"));
    one.delete("/api/v1/users/ann").is(204);
    Poll.until(
        "the erasure",
        () -> two.get(board + "/top?limit=2").at("/users/0/userId").startsWith("erased-"));
    two.score(board, "ann", "'score':1").is(200);
    for (Api api : List.of(one, two)) {
      Poll.until(
          "the new user",
          () -> {
            List<String> ids = api.get(board + "/top?limit=3").all("/users", "userId");
            return ids.size() == 3 && ids.get(2).equals("ann");
          });
    }
  }

  @Test
  void scores_sentToBothNodes_areReadAtOnceWhereTheyWereSentAndSoonElsewhere() {
    String board = one.board("shared", "'update':'SUM'");
    Poll.until("the board", () -> two.get(board).status() == 200);
    for (int i = 1; i <= 30; i++) {
      Api here = i % 2 == 0 ? one : two;
      here.score(board, "ann", "'score':1").is(200);
      assertThat(here.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("" + i);
    }
    for (Api api : List.of(one, two)) {
      Poll.until(
          "all scores, from memory",
          () -> {
            Answer rank = api.get(board + "/users/ann/rank").is(200);
            return rank.at("/score").equals("30") && !rank.header("Laurel-Source").equals("sql");
          });
    }
  }

  @Test
  void scores_withAnIdSentToBothNodesAtOnce_countOnce() {
    String board = one.board("once", "'update':'SUM'");
    Poll.until("the board", () -> two.get(board).status() == 200);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String event = "'score':1,'eventId':'e" + i + "'";
      String key = "k" + i;
      for (Api api : List.of(one, two)) {
        answers.add(sent(() -> api.score(board, "bob", event)));
        answers.add(
            sent(
                () ->
                    api.with("Idempotency-Key", key)
                        .score(board, "cid", "'score':1,'eventId':'c" + key + "'")));
      }
    }
    answers.forEach(answer -> answer.join().is(200));
    for (Api api : List.of(one, two)) {
      for (String user : List.of("bob", "cid")) {
        Poll.until(
            user, () -> api.get(board + "/users/" + user + "/rank").at("/score").equals("50"));
      }
    }
  }

  @Test
  void streams_scoresSentToTheOtherNode_areTold() {
    String board = one.board("watched", "'visibility':'PUBLIC'");
    Poll.until("the board", () -> two.get(board).status() == 200);
    String ticket = one.send("POST", board + "/tickets", null).is(201).at("/ticket");
    try (EventReader here = EventReader.open(first, board + "/stream?top=3");
        EventReader there = EventReader.open(second, board + "/stream?top=3&ticket=" + ticket)) {
      here.next("leaderboard.snapshot");
      there.next("leaderboard.snapshot");
      for (int i = 1; i <= 5; i++) {
        (i % 2 == 0 ? one : two).score(board, "ann", "'score':" + i).is(200);
        here.until("ann " + i);
        there.until("ann " + i);
      }
    }
  }

  private CompletableFuture<Answer> sent(Supplier<Answer> call) {
    return CompletableFuture.supplyAsync(call, threads);
  }
}
