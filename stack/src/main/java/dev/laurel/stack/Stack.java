package dev.laurel.stack;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that several nodes of Laurel may share: PostgreSQL, Redis and Kafka. */
final class Stack implements AutoCloseable {
  private static final int MASTERS = 3;

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final List<StackState.Member> members = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();

  private Stack() {}

  /**
   * Starts all of them on free ports.
   *
   * @param data where PostgreSQL and Kafka keep their data, also that of an earlier run
   * @param scratch where Redis works, which keeps nothing
   */
  static Stack start(Path data, Path scratch, boolean cluster) {
    Stack stack = new Stack();
    try {
      stack.startPostgres(data);
      if (cluster) {
        stack.startCluster(scratch);
      } else {
        stack.startRedis(scratch);
      }
      stack.startKafka(data);
      return stack;
    } catch (Throwable e) {
      stack.close();
      throw e;
    }
  }

  private void startPostgres(Path data) {
    PostgresServer postgres = PostgresServer.start(data);
    started.push(postgres);
    members.add(StackState.Member.of("PostgreSQL", postgres.pid(), postgres.port()));
    environment.put("LAUREL_DATABASE_URL", postgres.url("postgres"));
  }

  private void startRedis(Path scratch) {
    RedisServer redis = RedisServer.start(scratch.resolve("redis"));
    started.push(redis);
    members.add(StackState.Member.of("Redis", redis.pid(), redis.port()));
    environment.put("LAUREL_REDIS_URL", redis.url());
  }

  private void startCluster(Path scratch) {
    RedisCluster cluster = RedisCluster.start(scratch, MASTERS);
    started.push(cluster);
    for (RedisServer master : cluster.masters()) {
      members.add(StackState.Member.of("Redis", master.pid(), master.port()));
    }
    environment.put("LAUREL_REDIS_URL", cluster.url());
  }

  private void startKafka(Path data) {
    KafkaServer kafka = KafkaServer.start(data);
    started.push(kafka::stop); // in order, as its data may be kept
    members.add(StackState.Member.of("Kafka", kafka.pid(), kafka.port()));
    environment.put("LAUREL_KAFKA_BOOTSTRAP", kafka.bootstrap());
  }

  /** What to tell others about it. */
  StackState state() {
    return new StackState(
        StackState.Member.of("supervisor", ProcessHandle.current().pid(), 0), members, environment);
  }

  /** Stops them; one that fails to stop does not keep the others up. */
  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      AutoCloseable server = started.pop();
      try {
        server.close();
      } catch (Exception e) {
        System.err.println("cannot stop a server: " + e);
      }
    }
  }
}
