package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisAddressTest {
  @Test
  void toString_withCredentials_hidesThem() {
    String[] texts = {
      "redis://user:hidden@one:6379/0",
      "rediss://:hidden@one",
      "redis-cluster://user:hidden@one:7000,two:7001",
      "redis-sentinel://:hidden@one:26379,two:26379/0#main"
    };
    for (String text : texts) {
      assertThat(RedisAddress.parse(text).toString()).contains("one").doesNotContain("hidden");
    }
  }

  @Test
  void parse_cluster_namesEveryNodeWithTheCredentials() {
    RedisAddress address = RedisAddress.parse("redis-cluster://user:word@one:7000,two:7001");
    assertThat(address.isCluster()).isTrue();
    assertThat(address).hasToString("one:7000, two:7001");
    assertThat(address.nodes())
        .allSatisfy(node -> assertThat(node.toString()).contains("user").doesNotContain("word"));
    assertThat(RedisAddress.parse("rediss-cluster://one:1,two:2").nodes())
        .allSatisfy(node -> assertThat(node.isSsl()).isTrue());
  }

  @Test
  void parse_nonsense_isRefusedWithoutSayingIt() {
    assertThatThrownBy(() -> RedisAddress.parse("http://user:hidden@one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis-cluster://")
        .hasMessageNotContaining("hidden");
  }
}
