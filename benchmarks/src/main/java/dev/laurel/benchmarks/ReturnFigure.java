package dev.laurel.benchmarks;

import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a board that is written to takes to get back into a Redis that was flushed, and what
 * readers have meanwhile: one node as a process, PostgreSQL, Redis, ranks of random users asked by
 * a few connections one after the other, scores of random users written in small batches at a
 * steady rate.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.ReturnFigure [users] [writes a second]</pre>
 */
public final class ReturnFigure {
  private static final int LOADERS = 4;
  private static final int WRITERS = 10;
  private static final int READERS = 4;
  private static final int BATCH = 50;
  private static final int BEFORE_SECONDS = 15;
  private static final int AFTER_SECONDS = 10;
  private static final int AT_MOST_SECONDS = 180;

  private static final String BOARD = "/api/v1/leaderboards/b";

  private final int port;
  private final int users;
  private final int rate;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong refusedWrites = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong refusedReads = new AtomicLong();
  private volatile boolean stopped;

  private ReturnFigure(int port, int users, int rate) {
    this.port = port;
    this.users = users;
    this.rate = rate;
  }

  /** What had happened by a moment, and where the server says that answers came from. */
  private record Counts(
      long nanos,
      long written,
      long refusedWrites,
      long read,
      long refusedReads,
      double redis,
      double memory,
      double sql) {
    double seconds(Counts since) {
      return (nanos - since.nanos) / 1e9;
    }

    /** How many of the answers since came from Redis. */
    double share(Counts since) {
      double all = redis - since.redis + memory - since.memory + sql - since.sql;
      return all == 0 ? 0 : (redis - since.redis) / all;
    }

    double reads(Counts since) {
      return (read - since.read) / seconds(since);
    }

    String line(Counts since) {
      double seconds = seconds(since);
      return "writes/s %,7.0f (refused %,.0f), reads/s %,7.0f (refused %,.0f): %3.0f %% redis, %,.0f/s memory, %,.0f/s sql"
          .formatted(
              (written - since.written) / seconds,
              (refusedWrites - since.refusedWrites) / seconds,
              reads(since),
              (refusedReads - since.refusedReads) / seconds,
              100 * share(since),
              (memory - since.memory) / seconds,
              (sql - since.sql) / seconds);
    }
  }

  private Counts counts(PlainConnection connection) throws IOException {
    String metrics = connection.ask("GET", "/metrics", "").body();
    return new Counts(
        System.nanoTime(),
        written.get(),
        refusedWrites.get(),
        read.get(),
        refusedReads.get(),
        reads(metrics, "redis"),
        reads(metrics, "memory"),
        reads(metrics, "sql"));
  }

  private static double reads(String metrics, String source) {
    String name = "laurel_reads_total{source=\"" + source + "\"} ";
    return metrics
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private interface Work {
    void run(PlainConnection connection) throws Exception;
  }

  private Thread start(Work work) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (!stopped) {
                try (PlainConnection connection = new PlainConnection(port)) {
                  while (!stopped) {
                    work.run(connection);
                  }
                } catch (Exception e) {
                  if (!stopped) {
                    refusedReads.incrementAndGet();
                  }
                }
              }
            });
  }

  private String batch(int from, int count) {
    StringBuilder json = new StringBuilder("{\"scores\":[");
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "{\"userId\":\"user-" : ",{\"userId\":\"user-")
          .append(from < 0 ? random.nextInt(users) : from + i)
          .append("\",\"score\":")
          .append(random.nextInt(1 << 30))
          .append('}');
    }
    return json.append("]}").toString();
  }

  private void load() throws Exception {
    long begin = System.nanoTime();
    try (PlainConnection connection = new PlainConnection(port)) {
      connection.call(
          "POST", "/api/v1/leaderboards", "{\"UUID\":\"b\",\"update\":\"LATEST\",\"decimals\":0}");
    }
    AtomicInteger next = new AtomicInteger();
    List<Thread> loaders = new ArrayList<>();
    for (int i = 0; i < LOADERS; i++) {
      loaders.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (PlainConnection own = new PlainConnection(port)) {
                      for (int from = next.getAndAdd(1000);
                          from < users;
                          from = next.getAndAdd(1000)) {
                        own.call(
                            "POST", BOARD + "/scores", batch(from, Math.min(1000, users - from)));
                      }
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread loader : loaders) {
      loader.join();
    }
    System.out.printf("loaded %,d users in %.0f s%n", users, (System.nanoTime() - begin) / 1e9);
  }

  private List<Thread> startLoad() {
    List<Thread> threads = new ArrayList<>();
    long pause = TimeUnit.SECONDS.toNanos(1) * BATCH * WRITERS / rate;
    for (int i = 0; i < WRITERS; i++) {
      long[] next = {System.nanoTime() + i * pause / WRITERS};
      threads.add(
          start(
              connection -> {
                long wait = next[0] - System.nanoTime();
                if (wait > 0) {
                  Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                }
                next[0] = Math.max(next[0] + pause, System.nanoTime() - 10 * pause);
                boolean taken =
                    connection.ask("POST", BOARD + "/scores", batch(-1, BATCH)).status() == 200;
                (taken ? written : refusedWrites).addAndGet(BATCH);
              }));
    }
    for (int i = 0; i < READERS; i++) {
      threads.add(
          start(
              connection -> {
                int user = ThreadLocalRandom.current().nextInt(users);
                boolean told =
                    connection.ask("GET", BOARD + "/users/user-" + user + "/rank", "").status()
                        == 200;
                (told ? read : refusedReads).incrementAndGet();
              }));
    }
    return threads;
  }

  private void run(RedisServer redis) throws Exception {
    load();
    try (PlainConnection connection = new PlainConnection(port)) {
      List<Thread> threads = startLoad();
      Thread.sleep(5_000); // until all of it is warm
      Counts start = counts(connection);
      Thread.sleep(1000 * BEFORE_SECONDS);
      Counts flushed = counts(connection);
      System.out.println("before:  " + flushed.line(start));
      redis.call("FLUSHALL", "ASYNC");
      Counts last = flushed;
      Counts back = flushed;
      double worst = Double.MAX_VALUE;
      int good = 0;
      while (good < 3 && last.seconds(flushed) < AT_MOST_SECONDS) {
        Thread.sleep(1000);
        Counts now = counts(connection);
        System.out.printf("%5.1f s: %s%n", now.seconds(flushed), now.line(last));
        if (now.share(last) > 0.99) {
          good++;
        } else {
          good = 0;
          back = now;
          worst = Math.min(worst, now.reads(last));
        }
        last = now;
      }
      Thread.sleep(1000 * AFTER_SECONDS);
      Counts end = counts(connection);
      System.out.println("after:   " + end.line(last));
      System.out.printf(
          "%s; reads come from Redis again after %.0f s (goal: <= 30); meanwhile %,.0f reads/s (goal: >="
              + " 1,000), %.2f of before; worst second %,.0f; after it %.2f of before%n",
          good < 3 ? "NOT BACK" : "back",
          back.seconds(flushed),
          back.reads(flushed),
          back.reads(flushed) / flushed.reads(start),
          worst,
          end.reads(last) / flushed.reads(start));
      stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    int users = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int rate = args.length > 1 ? Integer.parseInt(args[1]) : 5_000;
    int port = LiveServer.freePort();
    try (WorkFolder folder = WorkFolder.create("laurel-return");
        PostgresServer postgres = PostgresServer.start(folder.path().resolve("postgres"));
        RedisServer redis = RedisServer.start(folder.path().resolve("redis"));
        LiveServer server =
            LiveServer.laurel(
                folder.path(),
                port,
                List.of("--database-url", postgres.url("postgres"), "--redis-url", redis.url()))) {
      new ReturnFigure(port, users, rate).run(redis);
    }
  }
}
