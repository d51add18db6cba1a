package dev.laurel.redis;

import dev.laurel.core.store.Store;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.NodesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on one database that share their ranks in Redis. */
@SuppressWarnings("NullAway.Init") // started before all cases
class RedisNodesTest extends NodesContract {
  @TempDir static Path redisFolder = Path.of("");
  private static RedisServer redis;
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start(redisFolder);
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @Override
  protected Store open() {
    return PostgresStore.open(url, null, null, clock);
  }

  @Override
  protected Harness.IndexSource indexes() {
    return Nodes.patient(redis.url(), "nodes");
  }
}
