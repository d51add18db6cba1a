package dev.laurel.benchmarks;

import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.UserDictionary;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a reader of the rank index waits for: a rank by user id, ranks of many, a page.
 *
 * <p>{@code mvn -q -pl core,benchmarks -am package -DskipTests && java -jar
 * benchmarks/target/benchmarks.jar RankIndexBenchmark}
 *
 * <p>The rival is what Redis has, in the same language: a hash table and a skip list with spans.
 *
 * <p>The users are asked for at random, so at a million nearly every look-up misses the caches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-Xms2g",
      "-Xmx2g",
      "-XX:+UseCompactObjectHeaders",
      "-XX:+UseTransparentHugePages"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RankIndexBenchmark {
  private static final int ASKED = 1 << 20;
  private static final int GROUP = 64;

  @Param({"10000", "1000000"})
  int users;

  @Param({"EARLIEST_FIRST"})
  Ties ties;

  private UserDictionary ids;
  private RankSnapshot snapshot;
  private String[] asked;
  private int next;
  private final String[] names = new String[GROUP];
  private final int[] group = new int[GROUP];
  private final long[] rank = new long[GROUP];
  private final long[] score = new long[GROUP];
  private final long[] reached = new long[GROUP];
  private final byte[] json = new byte[4096];

  @Setup
  public void build() {
    Season season = Season.of(users, ties);
    ids = season.ids();
    snapshot = season.snapshot();
    SplittableRandom random = new SplittableRandom(2);
    asked = new String[ASKED];
    for (int i = 0; i < ASKED; i++) {
      asked[i] = "user_" + (1 + random.nextInt(users));
    }
  }

  /** Built only for the benchmarks that ask for it. */
  @State(Scope.Benchmark)
  public static class Rival {
    private SkipListSeason season;

    @Setup
    public void build(RankIndexBenchmark benchmark) {
      season = new SkipListSeason(benchmark.snapshot, benchmark.ids);
    }
  }

  private String ask() {
    return asked[next++ & (ASKED - 1)];
  }

  @Benchmark
  public int find() {
    return ids.find(ask());
  }

  @Benchmark
  public long rank() {
    return snapshot.rank(ids.find(ask()));
  }

  @Benchmark
  public long rankSkipList(Rival rival) {
    return rival.season.rank(ask());
  }

  /** A look-up of one user, as a part of 64 that are asked for together. */
  @Benchmark
  @OperationsPerInvocation(GROUP)
  public long[] rankGrouped() {
    for (int i = 0; i < GROUP; i++) {
      names[i] = ask();
    }
    ids.find(names, GROUP, group);
    snapshot.ranks(group, GROUP, rank, score, reached);
    return rank;
  }

  @Benchmark
  public void top10(Blackhole blackhole) {
    snapshot.page(
        0,
        10,
        (rank, user, score, reached) -> {
          blackhole.consume(user);
          blackhole.consume(score);
        });
  }

  @Benchmark
  public void top10SkipList(Rival rival, Blackhole blackhole) {
    rival.season.top10(blackhole);
  }

  /** With the bytes of the ids, as a page of JSON needs them. */
  @Benchmark
  public byte[] top10WithIds() {
    int[] at = {0};
    snapshot.page(0, 10, (rank, user, score, reached) -> at[0] += ids.copyId(user, json, at[0]));
    return json;
  }

  /** The ten around a user, anywhere in the season. */
  @Benchmark
  public void around10(Blackhole blackhole) {
    long position = snapshot.position(ids.find(ask()));
    snapshot.page(
        Math.max(0, position - 5),
        10,
        (rank, user, score, reached) -> {
          blackhole.consume(user);
          blackhole.consume(score);
        });
  }
}
