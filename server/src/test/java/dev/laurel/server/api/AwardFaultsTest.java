package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Awards while the store is slow, and limits that nodes share. */
class AwardFaultsTest {
  private static final String RULES = "{'version':1,'rules':{'watch_video':25}}";

  private static Api user(TestServer server, TestIssuer issuer, String name) {
    return Api.anonymous(server).with("Authorization", "Bearer " + issuer.token(name));
  }

  private static String body(String action) {
    return "{'action_type':'watch_video','action_id':'%s','idempotency_key':'%s'}"
        .formatted(action, UUID.randomUUID());
  }

  @Test
  void award_notStoredByTheDeadline_is503AndTheSameKeyGivesTheOutcome() throws Exception {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.url(postgres.newDatabase());
    try (TestIssuer issuer = new TestIssuer();
        TestServer server =
            TestServer.start(
                s ->
                    issuer
                        .settings()
                        .apply(s)
                        .with(Settings.DATABASE_URL, database)
                        .with(Settings.AWARD_DEADLINE_MILLIS, "300"),
                _ -> {});
        Connection other = DriverManager.getConnection(database);
        Statement statement = other.createStatement()) {
      Api.admin(server).put("/api/v1/award-rules", RULES).is(200);
      Api ann = user(server, issuer, "ann");
      // So that the keys of the issuer and the user are known, and only the commit is slow.
      ann.post("/v1/scores/award", body("before")).is(200);
      String award = body("slow");
      // As another node does that is in the middle of a commit.
      other.setAutoCommit(false);
      statement.execute("SELECT shard FROM shard_locks FOR UPDATE");
      Answer late = ann.post("/v1/scores/award", award).refused(503, "OVERLOADED");
      assertThat(late.message()).contains("try again with the same Idempotency-Key");
      assertThat(late.header("Retry-After")).isEqualTo("1");
      other.rollback();
      Answer again = ann.post("/v1/scores/award", award);
      assertThat(again.status()).isIn(200, 202);
      assertThat(again.at("/total")).isEqualTo("50");
      assertThat(again.replayed()).isTrue();
      assertThat(ann.get("/v1/users/me/score").is(200).at("/total")).isEqualTo("50");
    }
  }

  @Test
  void limits_ofNodesWithTheSameRedis_areSharedOverHttp(@TempDir Path folder) {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.url(postgres.newDatabase());
    try (TestIssuer issuer = new TestIssuer();
        RedisServer redis = RedisServer.start(folder);
        TestServer one = node(issuer, database, redis);
        TestServer two = node(issuer, database, redis)) {
      Api.admin(one).put("/api/v1/award-rules", RULES).is(200);
      TestServer[] nodes = {one, two};
      for (int i = 0; i < 4; i++) {
        user(nodes[i % 2], issuer, "ann").get("/v1/leaderboard").is(200);
      }
      for (TestServer node : nodes) {
        Answer drop = user(node, issuer, "ann").get("/v1/leaderboard").is(429);
        assertThat(drop.header("RateLimit-Limit")).isEqualTo("4");
        user(node, issuer, "bob").get("/v1/leaderboard").is(200);
      }
    }
  }

  private static TestServer node(TestIssuer issuer, String database, RedisServer redis) {
    return TestServer.start(
        s ->
            issuer
                .settings()
                .apply(s)
                .with(Settings.DATABASE_URL, database)
                .with(Settings.REDIS_URL, redis.url())
                .with(Settings.USER_RATE, "4"),
        _ -> {});
  }
}
