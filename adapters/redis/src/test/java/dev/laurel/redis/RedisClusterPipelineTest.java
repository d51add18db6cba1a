package dev.laurel.redis;

import dev.laurel.stack.RedisCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same, with seasons spread over three masters. */
class RedisClusterPipelineTest extends RedisPipelineContract {
  @TempDir static Path redisFolder = Path.of("");
  private static RedisCluster cluster;

  @BeforeAll
  static void startRedis() {
    cluster = RedisCluster.start(redisFolder, 3);
  }

  @AfterAll
  static void stopRedis() {
    cluster.close();
  }

  @Override
  String url() {
    return cluster.url();
  }
}
