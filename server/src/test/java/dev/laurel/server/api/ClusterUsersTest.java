package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users whom one node has just met, asked of the other one: two servers that share ranks. */
@SuppressWarnings("NullAway.Init") // set before all tests
class ClusterUsersTest {
  /** As often as a node that has not heard by chance could not be right. */
  private static final int USERS = 40;

  @TempDir static Path folder = Path.of("");

  private static RedisServer redis;
  private static TestServer first;
  private static TestServer second;
  private static Api one;
  private static Api two;

  @BeforeAll
  static void start() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    redis = RedisServer.start(folder);
    first = node(url);
    second = node(url);
    one = Api.admin(first);
    two = Api.admin(second);
  }

  private static TestServer node(String url) {
    return TestServer.start(
        settings -> settings.with(Settings.DATABASE_URL, url).with(Settings.REDIS_URL, redis.url()),
        _ -> {});
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
    redis.close();
  }

  private static String board(String uuid, String... fields) {
    String board = one.board(uuid, fields);
    Poll.until("the board at the other node", () -> two.get(board).status() == 200);
    return board;
  }

  @Test
  void top_denseBoardAndNewUsers_namesThem() {
    String board = board("dense", "'ties':'DENSE'");
    for (int i = 1; i <= USERS; i++) {
      one.score(board, "dense-" + i, "'score':" + i).is(200);
      String user = "dense-" + i;
      // Each node has dense ranks in its own memory, and hears of the others' within moments.
      Poll.until(
          user,
          () -> two.get(board + "/top?limit=1").is(200).all("/users", "userId").contains(user));
      assertThat(two.get(board + "/users/" + user + "/rank").is(200).number("/rank")).isEqualTo(1);
    }
  }

  @Test
  void rank_newUser_isFound() {
    String board = board("ranks");
    for (int i = 1; i <= USERS; i++) {
      one.score(board, "rank-" + i, "'score':" + i).is(200);
      assertThat(two.get(board + "/users/rank-" + i + "/rank").is(200).number("/rank"))
          .isEqualTo(1);
      assertThat(two.get(board + "/users/rank-" + i + "/around").is(200).at("/user/userId"))
          .isEqualTo("rank-" + i);
    }
    two.get(board + "/users/nobody/rank").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void delete_newUser_isDone() {
    String board = board("deletes");
    for (int i = 1; i <= USERS; i++) {
      one.score(board, "delete-" + i, "'score':" + i).is(200);
      two.delete(board + "/users/delete-" + i).is(200);
    }
    two.delete(board + "/users/nobody").refused(404, "USER_NOT_FOUND");
    assertThat(one.get(board + "/top?limit=1").is(200).number("/totalUsers")).isZero();
  }

  @Test
  void revert_newUser_isDone() {
    String board = board("reverts", "'update':'SUM'");
    for (int i = 1; i <= USERS; i++) {
      one.score(board, "revert-" + i, "'score':" + i).is(200);
      Answer done = two.post(board + "/reverts", "{'userId':'revert-" + i + "','last':1}").is(200);
      assertThat(done.number("/submissions")).isEqualTo(1);
    }
    assertThat(one.get(board + "/top?limit=1").is(200).number("/totalUsers")).isZero();
  }

  @Test
  void top_cursorOfTheOtherNode_goesOn() {
    String board = board("cursors");
    for (int i = 1; i <= USERS; i++) {
      one.score(board, "cursor-" + i, "'score':" + i).is(200);
      if (i > 1) {
        String cursor = one.get(board + "/top?limit=1").is(200).at("/nextCursor");
        List<String> next =
            two.get(board + "/top?limit=1&cursor=" + cursor).is(200).all("/users", "userId");
        assertThat(next).containsExactly("cursor-" + (i - 1));
      }
    }
  }

  @Test
  void reads_redisDownAndNewUsers_comeFromTheStore() {
    String board = board("down");
    one.score(board, "down-0", "'score':0").is(200);
    two.get(board + "/top?limit=1").is(200);
    redis.stop();
    try {
      for (int i = 1; i <= 5; i++) {
        String user = "down-" + i;
        one.score(board, user, "'score':" + i).is(200);
        // It may show its copy of the head until it hears of the other's commit, and no error.
        Poll.until(
            "the new head",
            () -> two.get(board + "/top?limit=1").is(200).at("/users/0/userId").equals(user));
        assertThat(two.get(board + "/users/" + user + "/rank").is(200).number("/rank"))
            .isEqualTo(1);
      }
    } finally {
      redis.start();
    }
  }
}
