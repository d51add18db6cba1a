package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same answers, with the ranks in Redis; and what is different then. */
@SuppressWarnings("NullAway.Init") // set before every test
class RedisRankingApiTest extends RankingApiTest {
  @TempDir static Path folder = Path.of("");
  private RedisServer redis;
  private TestServer server;

  @Override
  TestServer open() {
    redis = RedisServer.start(folder);
    server = TestServer.start(s -> s.with(Settings.REDIS_URL, redis.url()), _ -> {});
    return server;
  }

  @AfterAll
  void stopRedis() {
    redis.close();
  }

  private static boolean isStored(Answer answer) {
    return answer.header("Laurel-Source").equals("sql");
  }

  @Test
  void reads_redisThere_comeFromIt() {
    Api api = Api.admin(server);
    String board = api.board("from-redis");
    for (int i = 1; i <= 5; i++) {
      Answer written = api.score(board, "u" + i, "'score':" + i).is(200);
      assertThat(written.number("/rank")).isEqualTo(1);
      assertThat(isStored(api.get(board + "/top?limit=10").is(200))).isFalse();
      assertThat(isStored(api.get(board + "/users/u1/rank").is(200))).isFalse();
      assertThat(isStored(api.get(board + "/users/u1/around").is(200))).isFalse();
    }
    assertThat(server.get("/metrics").body()).contains("redis_latency_ms_count");
  }

  @Test
  void top_nothingHasHappened_costsNoCallOfRedis() {
    Api api = Api.admin(server);
    String board = api.board("hot");
    api.score(board, "a", "'score':1").is(200);
    api.get(board + "/top?limit=10").is(200);
    // The server's other boards may still be catching up, so a quiet moment is waited for.
    Poll.until(
        "20 reads without a call",
        () -> {
          String quiet = calls();
          for (int i = 0; i < 20; i++) {
            assertThat(isStored(api.get(board + "/top?limit=10").is(200))).isFalse();
          }
          return calls().equals(quiet);
        });
    String before = calls();
    api.score(board, "b", "'score':2").is(200);
    assertThat(api.get(board + "/top?limit=10").is(200).all("/users", "userId"))
        .containsExactly("b", "a");
    assertThat(calls()).isNotEqualTo(before);
  }

  @Test
  void stream_ranksInRedis_areFetchedAndTold() {
    Api api = Api.admin(server);
    for (String ties : List.of("EARLIEST_FIRST", "DENSE")) {
      String board = api.board("live-" + ties, "'visibility':'PUBLIC'", "'ties':'" + ties + "'");
      try (EventReader top = EventReader.open(server, board + "/stream?top=2");
          EventReader around = EventReader.open(server, board + "/stream?user=u2&window=1")) {
        for (int i = 1; i <= 4; i++) {
          api.score(board, "u" + i, "'score':" + i).is(200);
        }
        top.until("u4 4", "u3 3");
        around.until("u3 3", "u2 2", "u1 1");
        api.score(board, "u1", "'score':9").is(200);
        top.until("u1 9", "u4 4");
        around.until("u3 3", "u2 2");
      }
    }
  }

  /** Boards with dense ties are in memory, whose index can be asked about its last state. */
  @Test
  void stream_somebodyComesIntoTheRange_tellsWhatTheIndexInMemoryTells() {
    Api api = Api.admin(server);
    for (String ties : List.of("EARLIEST_FIRST", "DENSE")) {
      String board =
          api.board(
              "came-" + ties, "'visibility':'PUBLIC'", "'update':'SUM'", "'ties':'" + ties + "'");
      api.score(board, "ann", "'score':50").is(200);
      api.score(board, "bob", "'score':40").is(200);
      api.score(board, "cid", "'score':10").is(200);
      api.score(board, "cid", "'score':5").is(200);
      try (EventReader top = EventReader.open(server, board + "/stream?top=2")) {
        top.until("ann 50", "bob 40");
        api.score(board, "cid", "'score':30").is(200);
        assertThat(top.came("cid")).as(ties + ": had 15").isEqualTo("30");
        // Nobody has heard of dee before.
        api.score(board, "dee", "'score':60").is(200);
        assertThat(top.came("dee")).as(ties + ": had nothing").isEqualTo("60");
        // Somebody else leaves, and the next one comes up with what was there.
        api.delete(board + "/users/dee").is(200);
        assertThat(top.came("cid")).as(ties + ": has what it was").isEqualTo("0");
        api.score(board, "bob", "'score':100").is(200);
        assertThat(top.came("bob")).as(ties + ": had 40").isEqualTo("100");
        api.delete(board + "/users/bob").is(200);
        assertThat(top.came("cid")).as(ties + ": has what it was again").isEqualTo("0");
        api.score(board, "bob", "'score':70").is(200);
        assertThat(top.came("bob")).as(ties + ": had been removed").isEqualTo("70");
      }
    }
  }

  /** How often a reading function was called. */
  private String calls() {
    return redis
        .call("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_fcall_ro:"))
        .map(line -> line.substring(0, line.indexOf(',')))
        .findFirst()
        .orElse("none");
  }

  @Test
  void dense_redisThere_isAnsweredFromMemory() {
    Api api = Api.admin(server);
    String board = api.board("dense", "'ties':'DENSE'");
    for (String user : List.of("a", "b", "c")) {
      api.score(board, user, "'score':7").is(200);
    }
    assertThat(api.score(board, "u", "'score':1").is(200).number("/rank")).isEqualTo(2);
    assertThat(isStored(api.get(board + "/top?limit=10").is(200))).isFalse();
    assertThat(isStored(api.get(board + "/users/u/rank").is(200))).isFalse();
  }

  @Test
  void reads_redisPaused_comeFromElsewhereAndReturn() {
    Api api = Api.admin(server);
    String board = api.board("paused");
    api.score(board, "a", "'score':1").is(200);
    redis.pause();
    try {
      // Its rank may be there, if the store had the time to count.
      assertThat(api.score(board, "b", "'score':2").is(200).at("/rank")).isIn("", "1");
      Answer top = api.get(board + "/top?limit=10").is(200);
      assertThat(top.all("/users", "userId")).containsExactly("b", "a");
    } finally {
      redis.resume();
    }
    Poll.until(
        "reads come from Redis",
        () -> {
          String before = calls();
          api.score(board, "a", "'score':1").is(200);
          return api.get(board + "/users/a/rank").is(200).number("/rank") == 2
              && !calls().equals(before);
        });
  }
}
