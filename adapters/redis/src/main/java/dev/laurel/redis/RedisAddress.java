package dev.laurel.redis;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;

/**
 * Where Redis is, and of what kind it is.
 *
 * @param nodes one, or some nodes of a cluster: the others are found
 */
public record RedisAddress(List<RedisURI> nodes, boolean isCluster) {
  public static final String EXPECTED =
      "redis://, rediss:// or redis-sentinel:// with a host, or redis-cluster://host:port,host:port"
          + " (rediss-cluster:// with TLS)";

  /**
   * @throws IllegalArgumentException if the text is no address; it does not say the text, which may
   *     hold a password
   */
  public static RedisAddress parse(String text) {
    try {
      if (text.startsWith("redis-cluster://")) {
        return cluster("redis://", text.substring("redis-cluster://".length()));
      }
      if (text.startsWith("rediss-cluster://")) {
        return cluster("rediss://", text.substring("rediss-cluster://".length()));
      }
      return new RedisAddress(List.of(RedisURI.create(text)), false);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("redis-url (expected: " + EXPECTED + ")");
    }
  }

  /** {@code user:password@} before the first host holds for all. */
  private static RedisAddress cluster(String scheme, String rest) {
    int at = rest.lastIndexOf('@');
    String credentials = rest.substring(0, at + 1);
    List<RedisURI> nodes = new ArrayList<>();
    for (String host : rest.substring(at + 1).split(",")) {
      nodes.add(RedisURI.create(scheme + credentials + host.strip()));
    }
    return new RedisAddress(List.copyOf(nodes), true);
  }

  /** Hosts and ports alone: what may be logged. */
  @Override
  public String toString() {
    List<String> shown = new ArrayList<>();
    for (RedisURI node : nodes) {
      if (node.getSentinels().isEmpty()) {
        shown.add(node.getHost() + ":" + node.getPort());
      }
      node.getSentinels().forEach(s -> shown.add("sentinel " + s.getHost() + ":" + s.getPort()));
    }
    return String.join(", ", shown);
  }
}
