package dev.laurel.redis;

import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.EpochContract;
import dev.laurel.testkit.Harness;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** With ranks in a Redis that both nodes use. */
@SuppressWarnings("NullAway.Init") // started before all cases
final class RedisEpochTest extends EpochContract {
  @TempDir static Path data = Path.of("");

  private static RedisServer redis;
  private static int cases;

  private final String prefix = "epoch-" + ++cases;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(data);
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Override
  protected Store open(Path folder, InstantSource clock) {
    return SqliteStore.open(folder, clock);
  }

  @Override
  protected Harness.IndexSource indexes() {
    return Nodes.patient(redis.url(), prefix);
  }
}
