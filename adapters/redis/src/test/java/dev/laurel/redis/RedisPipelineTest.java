package dev.laurel.redis;

import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the pipeline, with ranks in one Redis server. */
class RedisPipelineTest extends RedisPipelineContract {
  @TempDir static Path redisFolder = Path.of("");
  private static RedisServer server;

  @BeforeAll
  static void startRedis() {
    server = RedisServer.start(redisFolder);
  }

  @AfterAll
  static void stopRedis() {
    server.close();
  }

  @Override
  String url() {
    return server.url();
  }
}
