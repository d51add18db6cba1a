package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.access.Buckets;
import dev.laurel.stack.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits that nodes share, and what is left of them without Redis. */
class RedisBucketsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  private final List<Throwable> errors = new ArrayList<>();

  /** Takes everything, and tells itself apart by its remainder. */
  private static final Buckets LOCAL =
      new Buckets() {
        @Override
        public boolean mayWait() {
          return false;
        }

        @Override
        public Taken take(String key, int perMinute) {
          return new Taken(true, -1, 0, 0);
        }
      };

  private RedisBuckets node(String url) {
    return new RedisBuckets(RedisAddress.parse(url), "test", LOCAL, errors::add);
  }

  @Test
  void take_byTwoNodes_isCountedTogether() {
    try (RedisServer server = RedisServer.start(folder.resolve("redis"));
        RedisBuckets one = node(server.url());
        RedisBuckets two = node(server.url())) {
      for (int i = 0; i < 4; i++) {
        assertThat((i % 2 == 0 ? one : two).take("a", 4).remaining()).isEqualTo(3 - i);
      }
      Buckets.Taken refused = one.take("a", 4);
      assertThat(refused.ok()).isFalse();
      assertThat(refused.waitNanos()).isBetween(1L, 15_000_000_000L);
      assertThat(two.take("a", 4).ok()).isFalse();
      assertThat(two.take("b", 4).remaining()).isEqualTo(3);
      assertThat(errors).isEmpty();
    }
  }

  @Test
  void take_whileRedisIsDown_isCountedLocally() {
    RedisServer server = RedisServer.start(folder.resolve("redis"));
    try (RedisBuckets node = node(server.url())) {
      assertThat(node.take("a", 4).remaining()).isEqualTo(3);
      server.close();
      for (int i = 0; i < 10; i++) {
        assertThat(node.take("a", 4)).isEqualTo(new Buckets.Taken(true, -1, 0, 0));
      }
      assertThat(errors).isNotEmpty();
    }
  }
}
