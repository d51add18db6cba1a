package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An erasure that meets an outage, and one that must not touch what is others'. */
class ErasureFaultsTest {
  @TempDir Path folder = Path.of("");

  @Test
  void erase_whileRedisIsAway_goesOnByItselfOnceItIsBack() {
    try (RedisServer redis = RedisServer.start(folder);
        TestServer server =
            TestServer.start(s -> s.with(Settings.REDIS_URL, redis.url()), _ -> {})) {
      Api admin = Api.admin(server);
      String board = admin.board("left");
      admin.score(board, "bob", "'score':2,'metadata':{'secret':1}").is(200);
      admin.score(board, "ann", "'score':1").is(200);
      redis.stop();
      Answer erased = admin.delete("/api/v1/users/bob");
      assertThat(erased.status()).isIn(202, 204);
      admin.delete("/api/v1/users/bob").refused(404, "USER_NOT_FOUND");
      admin.get(board + "/users/bob/rank").refused(404, "USER_NOT_FOUND");
      redis.start();
      Poll.until(
          "nobody is called bob",
          Duration.ofMinutes(2),
          () -> {
            Answer top = admin.get(board + "/top?limit=10").is(200);
            List<String> users = top.all("/users", "userId");
            return users.size() == 2
                && !users.contains("bob")
                && !top.header("Laurel-Source").equals("sql");
          });
      String who = admin.get(board + "/top?limit=1").at("/users/0/userId");
      Answer rank = admin.get(board + "/users/" + who + "/rank").is(200);
      assertThat(rank.at("/score")).isEqualTo("2");
      assertThat(rank.at("/metadata/secret")).isEmpty();
    }
  }

  @Test
  void erase_userCalledAsAFieldIs_leavesTheKeptAnswersOfOthers() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      String board = admin.board("kept");
      admin.score(board, "score", "'score':2").is(200);
      String path = board + "/users/ann";
      Answer first = admin.put(path, "{'score':1}", "Idempotency-Key", "k-1").is(200);
      admin.delete("/api/v1/users/score").is(204);
      Answer again = admin.put(path, "{'score':1}", "Idempotency-Key", "k-1").is(200);
      assertThat(again.replayed()).isTrue();
      assertThat(again.toString()).isEqualTo(first.toString());
    }
  }
}
