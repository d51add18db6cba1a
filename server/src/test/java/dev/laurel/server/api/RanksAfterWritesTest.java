package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A write that is stored is answered 200, whatever can be said of its rank; Redis is stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class RanksAfterWritesTest {
  private static final int CLIENTS = 400;
  private static final int WRITES = 5;
  private static final int USERS = 10_000;

  @TempDir static Path folder = Path.of("");
  private TestServer server;
  private Api api;
  private String board;

  @BeforeAll
  void start() {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.url(postgres.newDatabase());
    try (RedisServer redis = RedisServer.start(folder)) {
      server =
          TestServer.start(
              s -> s.with(Settings.DATABASE_URL, database).with(Settings.REDIS_URL, redis.url()),
              _ -> {});
      api = Api.admin(server);
      board = api.board("away", "'update':'SUM'", "'decimals':0");
      for (int from = 0; from < USERS; from += 1000) {
        List<String> lines = new ArrayList<>();
        for (int i = from; i < from + 1000; i++) {
          lines.add("{'userId':'u%d','score':%d}".formatted(i, 1 + i));
        }
        api.post(board + "/scores", "{'scores':[" + String.join(",", lines) + "]}").is(200);
      }
      assertThat(api.score(board, "u0", "'score':0").is(200).number("/rank")).isEqualTo(USERS);
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private long total() {
    long sum = 0;
    for (int offset = 0; offset < USERS; offset += 1000) {
      Answer page = api.get(board + "/top?limit=1000&offset=" + offset).is(200);
      sum += page.all("/users", "score").stream().mapToLong(Long::parseLong).sum();
    }
    return sum;
  }

  @Test
  void put_crowdWhileOnlyTheStoreKnows_isAnswered200AndCountsOnce() throws Exception {
    long before = total();
    List<Future<Integer>> refused = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < CLIENTS; client++) {
        String user = "u" + client;
        refused.add(
            clients.submit(
                () -> {
                  int others = 0;
                  for (int i = 0; i < WRITES; i++) {
                    Answer answer = api.score(board, user, "'score':1");
                    others += answer.status() == 200 && !answer.at("/score").isEmpty() ? 0 : 1;
                  }
                  return others;
                }));
      }
    }
    for (Future<Integer> each : refused) {
      assertThat(each.get()).as("answers other than 200").isZero();
    }
    assertThat(total() - before).isEqualTo((long) CLIENTS * WRITES);
  }

  private String rankOf(String user) {
    return api.get(board + "/users/" + user + "/rank").is(200).at("/rank");
  }

  /** The rank would be counted under the lock that everyone waits for. */
  @Test
  void put_withAKey_keepsTheAnswerWithOrWithoutTheRank() {
    String[] key = {"Idempotency-Key", "k-1"};
    Answer first = api.put(board + "/users/u7000", "{'score':5}", key).is(200);
    // Or memory stands in by now, if somebody has read.
    assertThat(first.at("/rank")).as(first.text()).isIn("", rankOf("u7000"));
    assertThat(first.at("/outcome")).isEqualTo("APPLIED");
    Answer again = api.put(board + "/users/u7000", "{'score':5}", key).is(200);
    assertThat(again.replayed()).isTrue();
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(api.get(board + "/users/u7000/rank").is(200).at("/score")).isEqualTo("7006");
  }
}
