package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An Idempotency-Key makes a write happen once, whoever retries it, however often, at once too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyApiTest {
  private static final String KEY = "Idempotency-Key";

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeAll
  void start() {
    server = TestServer.start();
    api = Api.admin(server);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** The same again gives the same bytes; something else under the same key is a conflict. */
  private Answer once(int status, Callable<Answer> write, Callable<Answer> other) throws Exception {
    Answer first = write.call().is(status);
    assertThat(first.replayed()).isFalse();
    for (int i = 0; i < 2; i++) {
      Answer again = write.call().is(status);
      assertThat(again.replayed()).as(again.toString()).isTrue();
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(again.header("content-type")).isEqualTo(first.header("content-type"));
    }
    other.call().refused(409, "IDEMPOTENCY_CONFLICT");
    assertThat(write.call().is(status).text()).isEqualTo(first.text());
    return first;
  }

  @Test
  void put_again_isReplayedByteForByte() throws Exception {
    String board = api.board("put", "'update':'SUM'");
    String path = board + "/users/ann";
    once(
        200,
        () -> api.put(path, "{'score':5}", KEY, "put-1"),
        () -> api.put(path, "{'score':6}", KEY, "put-1"));
    api.score(board, "bob", "'score':50").is(200);
    // The first answer, not one of now.
    assertThat(api.put(path, "{'score':5}", KEY, "put-1").number("/rank")).isEqualTo(1);
    assertThat(api.get(path + "/rank").at("/score")).isEqualTo("5");
    // Another user under the same key is another payload.
    api.put(board + "/users/cy", "{'score':5}", KEY, "put-1").refused(409, "IDEMPOTENCY_CONFLICT");
    api.put(path, "{'score':5}", KEY, "put-2").is(200);
    assertThat(api.get(path + "/rank").at("/score")).isEqualTo("10");
  }

  @Test
  void post_wholeBatch_happensOnce() throws Exception {
    String board = api.board("batch", "'update':'SUM'");
    String lines =
        "{'scores':[{'userId':'a','score':1},{'userId':'','score':1},{'userId':'a','score':2}]}";
    Answer first =
        once(
            200,
            () -> api.post(board + "/scores", lines, KEY, "b"),
            () -> api.post(board + "/scores", lines.replace("2}", "3}"), KEY, "b"));
    assertThat(first.all("/results", "outcome")).containsExactly("APPLIED", "REJECTED", "APPLIED");
    assertThat(api.get(board + "/users/a/rank").at("/score")).isEqualTo("3");
  }

  @Test
  void delete_again_isReplayedEvenWhenTheUserIsBack() throws Exception {
    String board = api.board("delete");
    api.score(board, "ann", "'score':1").is(200);
    api.score(board, "bob", "'score':1").is(200);
    once(
        200,
        () -> api.delete(board + "/users/ann", KEY, "d"),
        () -> api.delete(board + "/users/bob", KEY, "d"));
    api.score(board, "ann", "'score':2").is(200);
    assertThat(api.delete(board + "/users/ann", KEY, "d").is(200).replayed()).isTrue();
    assertThat(api.get(board).number("/totalUsers")).isEqualTo(2);
  }

  @Test
  void boards_createAndPatch_happenOnce() throws Exception {
    once(
        201,
        () -> api.post(Api.BOARDS, "{'UUID':'made'}", KEY, "c"),
        () -> api.post(Api.BOARDS, "{'UUID':'made-2'}", KEY, "c"));
    String board = Api.BOARDS + "/made";
    Answer patched =
        once(
            200,
            () -> api.patch(board, "{'name':'x'}", KEY, "p"),
            () -> api.patch(board, "{'name':'y'}", KEY, "p"));
    assertThat(patched.number("/version")).isEqualTo(2);
    assertThat(api.get(board).number("/version")).isEqualTo(2);
  }

  @Test
  void keys_replay_hasNoKeyBecauseNoneIsStored() {
    String body = "{'name':'once','scopes':['read']}";
    Answer first = api.post("/api/v1/keys", body, KEY, "k").is(201);
    assertThat(first.at("/key")).startsWith("laurel_");
    Answer again = api.post("/api/v1/keys", body, KEY, "k").is(201);
    assertThat(again.replayed()).isTrue();
    assertThat(again.at("/keyId")).isEqualTo(first.at("/keyId"));
    assertThat(again.json().propertyNames()).doesNotContain("key");
    api.post("/api/v1/keys", body.replace("once", "twice"), KEY, "k")
        .refused(409, "IDEMPOTENCY_CONFLICT");
    String path = "/api/v1/keys/" + first.at("/keyId");
    assertThat(api.delete(path, KEY, "r").is(204).replayed()).isFalse();
    assertThat(api.delete(path, KEY, "r").is(204).replayed()).isTrue();
    api.delete(path).refused(404, "KEY_NOT_FOUND");
    api.delete("/api/v1/keys/1", KEY, "r").refused(409, "IDEMPOTENCY_CONFLICT");
  }

  @Test
  void games_again_isReplayed() throws Exception {
    String path = "/v1/games/once/scores";
    once(
        200,
        () -> api.post(path, "{'user_id':'ann','score':5}", KEY, "g"),
        () -> api.post(path, "{'user_id':'ann','score':6}", KEY, "g"));
    // The mode in the query is part of what was asked.
    api.post(path + "?mode=latest", "{'user_id':'ann','score':5}", KEY, "g")
        .refused(409, "IDEMPOTENCY_CONFLICT");
  }

  @Test
  void keys_ofDifferentCallers_areIndependent() {
    String board = api.board("callers", "'update':'SUM'");
    Api one = api.key("one", "ingest");
    Api two = api.key("two", "ingest");
    for (Api caller : List.of(one, two)) {
      assertThat(caller.put(board + "/users/u", "{'score':1}", KEY, "same").is(200).replayed())
          .isFalse();
    }
    assertThat(one.put(board + "/users/u", "{'score':1}", KEY, "same").is(200).at("/score"))
        .isEqualTo("1");
    assertThat(api.get(board + "/users/u/rank").at("/score")).isEqualTo("2");
  }

  @Test
  void refusal_usesUpNoKey() {
    String board = api.board("refused", "'bounds':{'max':10}");
    api.put(board + "/users/u", "{'score':11}", KEY, "free").refused(422, "SCORE_OUT_OF_BOUNDS");
    api.put(board + "/users/u", "{'score':11}", KEY, "free").refused(422, "SCORE_OUT_OF_BOUNDS");
    assertThat(api.put(board + "/users/u", "{'score':9}", KEY, "free").is(200).replayed())
        .isFalse();
    api.post(Api.BOARDS, "{'UUID':'refused'}", KEY, "free").refused(409, "BOARD_EXISTS");
    api.post(Api.BOARDS, "{'UUID':'refused-2'}", KEY, "free").is(201);
  }

  @Test
  void key_itsForm_is1To128VisibleCharacters() {
    String board = api.board("form");
    api.put(board + "/users/u", "{'score':1}", KEY, "!~" + "x".repeat(126)).is(200);
    for (String bad : List.of("x".repeat(129), "a b", "")) {
      api.put(board + "/users/u", "{'score':2}", KEY, bad).refused(400, "INVALID_IDEMPOTENCY_KEY");
    }
    assertThat(api.get(board + "/users/u/rank").at("/score")).isEqualTo("1");
  }

  /** Both calls at the same moment. */
  private static List<Answer> both(Callable<Answer> a, Callable<Answer> b)
      throws InterruptedException, ExecutionException {
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<FutureTask<Answer>> tasks =
        List.of(new FutureTask<>(() -> meet(barrier, a)), new FutureTask<>(() -> meet(barrier, b)));
    tasks.forEach(Thread::startVirtualThread);
    return List.of(tasks.getFirst().get(), tasks.getLast().get());
  }

  private static Answer meet(CyclicBarrier barrier, Callable<Answer> call) throws Exception {
    barrier.await();
    return call.call();
  }

  private static void oneEffect(int status, List<Answer> answers) {
    assertThat(answers.get(0).is(status).text()).isEqualTo(answers.get(1).is(status).text());
    assertThat(answers.stream().filter(Answer::replayed)).as(answers.toString()).hasSize(1);
  }

  @Test
  void twoClients_sameKeyAtTheSameTime_oneEffectAndTheSameAnswer() throws Exception {
    String board = api.board("race", "'update':'SUM'", "'decimals':0");
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      String key = "race-" + round;
      Callable<Answer> put = () -> api.put(board + "/users/u", "{'score':1}", KEY, key);
      oneEffect(200, both(put, put));
      Callable<Answer> post =
          () ->
              api.post(board + "/scores", "{'scores':[{'userId':'u','score':1}]}", KEY, key + "b");
      oneEffect(200, both(post, post));
    }
    assertThat(api.get(board + "/users/u/rank").at("/score"))
        .isEqualTo(Integer.toString(2 * rounds));
  }

  @Test
  void twoClients_configurationAtTheSameTime_oneEffect() throws Exception {
    for (int round = 0; round < 25; round++) {
      String uuid = "race-board-" + round;
      Callable<Answer> create = () -> api.post(Api.BOARDS, "{'UUID':'" + uuid + "'}", KEY, uuid);
      oneEffect(201, both(create, create));
      Callable<Answer> key =
          () ->
              api.post(
                  "/api/v1/keys", "{'name':'" + uuid + "','scopes':['read']}", KEY, uuid + "k");
      List<Answer> answers = both(key, key);
      assertThat(answers.get(0).is(201).at("/keyId"))
          .isEqualTo(answers.get(1).is(201).at("/keyId"));
      assertThat(answers.stream().filter(a -> a.at("/key").isEmpty())).hasSize(1);
      String game = "race-game-" + round;
      Callable<Answer> first =
          () -> api.post("/v1/games/" + game + "/scores", "{'user_id':'u','score':1}", KEY, game);
      oneEffect(200, both(first, first));
    }
  }

  /** A refused request that meets an accepted one with its key in a batch keeps its refusal. */
  @Test
  void twoClients_oneRefusedOneAccepted_eachGetsItsOwn() throws Exception {
    String board = api.board("mixed");
    for (int round = 0; round < 100; round++) {
      String key = "mixed-" + round;
      List<Answer> answers =
          both(
              () -> api.put(board + "/users/u", "{'score':-1}", KEY, key),
              () -> api.put(board + "/users/u", "{'score':5}", KEY, key));
      assertThat(answers.get(0).status()).as(answers.toString()).isIn(409, 422);
      assertThat(answers.get(1).is(200).at("/score")).isEqualTo("5");
    }
  }
}
