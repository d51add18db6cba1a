package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * How closely a node follows another one that writes to many boards, three windows each: from the
 * acknowledgement there until readers here see it. In bulk, as Laurel does it, and one season a
 * time, as it did before. Arguments: boards, writes a second, seconds.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.FollowFigure 1000 5000 20</pre>
 */
public final class FollowFigure {
  private static final int USERS = 20_000;
  private static final int WARM_UP_SECONDS = 5;

  /** One write of so many is watched. */
  private static final int WATCHED = 50;

  private static final long LOOK_NANOS = 500_000;

  private final int boards;
  private final int rate;
  private final int seconds;

  private FollowFigure(int boards, int rate, int seconds) {
    this.boards = boards;
    this.rate = rate;
    this.seconds = seconds;
  }

  /** A write that was acknowledged, and is not seen on the other node yet. */
  private record Probe(Board board, long line, long acknowledged) {}

  public static void main(String[] args) throws Exception {
    FollowFigure figure =
        new FollowFigure(
            args.length > 0 ? Integer.parseInt(args[0]) : 1000,
            args.length > 1 ? Integer.parseInt(args[1]) : 5000,
            args.length > 2 ? Integer.parseInt(args[2]) : 20);
    try (WorkFolder folder = WorkFolder.create("laurel-follow");
        PostgresServer server = PostgresServer.start(folder.path())) {
      double alone = figure.run("one season a time", server.url(server.newDatabase()), true);
      double bulk = figure.run("in bulk", server.url(server.newDatabase()), false);
      System.out.printf(
          "p99 one season a time over p99 in bulk: %.1f (goal: p99 in bulk < 200 ms)%n",
          alone / bulk);
    }
  }

  /** The p99 in milliseconds. */
  private double run(String name, String url, boolean alone) throws Exception {
    try (InProcess writer = new InProcess(PostgresStore.open(url, null, null, null));
        InProcess reader =
            new InProcess(
                PostgresStore.open(url, null, null, null),
                index -> alone ? oneByOne(index) : index)) {
      List<Board> written = new ArrayList<>();
      List<Board> read = new ArrayList<>();
      for (int i = 0; i < boards; i++) {
        written.add(
            writer.board(
                1,
                "board" + i,
                WindowDefinition.ALL_TIME,
                window("daily", new Schedule.Daily()),
                window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY))));
      }
      Random random = new Random(1);
      for (Board board : written) {
        writer.submit(board, random, 20, USERS).join();
        read.add(reader.known(1, board.uuid()));
      }
      reader.follow();
      for (Board board : read) {
        while (!reader.isLoaded(board)) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
      }
      writes(writer, written, reader, read, WARM_UP_SECONDS);
      double[] millis = writes(writer, written, reader, read, seconds);
      Arrays.sort(millis);
      double p99 = millis[millis.length * 99 / 100];
      System.out.printf(
          "%s: %,d boards with 3 windows, %,d writes/s: seen on the other node after the"
              + " acknowledgement p50 %.0f ms, p90 %.0f ms, p99 %.0f ms, max %.0f ms%n",
          name,
          boards,
          rate,
          millis[millis.length / 2],
          millis[millis.length * 9 / 10],
          p99,
          millis[millis.length - 1]);
      return p99;
    }
  }

  private static WindowDefinition window(String name, Schedule schedule) {
    return new WindowDefinition(name, schedule, "UTC", null, null, null, List.of());
  }

  /** As it was done before: each season asks the store by itself. */
  private static RankIndex oneByOne(RankIndex index) {
    return (RankIndex)
        Proxy.newProxyInstance(
            RankIndex.class.getClassLoader(),
            new Class<?>[] {RankIndex.class},
            (_, method, given) -> {
              if (method.getName().equals("follow") && given[1] instanceof List<?> all) {
                for (Object each : all) {
                  RankIndex.Moved moved = (RankIndex.Moved) each;
                  for (Season season : moved.board().seasons()) {
                    index.follow(moved.board(), season, moved.line());
                  }
                }
                return null;
              }
              try {
                return method.invoke(index, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private double[] writes(
      InProcess writer, List<Board> written, InProcess reader, List<Board> read, int duration)
      throws InterruptedException {
    int count = rate * duration;
    Queue<Probe> waiting = new ConcurrentLinkedQueue<>();
    List<Double> millis = new ArrayList<>();
    int expected = count / WATCHED;
    Thread watcher = Thread.ofPlatform().start(() -> watch(reader, waiting, millis, expected));
    Random random = new Random(2);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + i * 1_000_000_000L / rate;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int which = random.nextInt(boards);
      CompletableFuture<Reply> reply = writer.submit(written.get(which), random, 1, USERS);
      if (i % WATCHED == 0) {
        reply.thenRun(
            () ->
                waiting.add(
                    new Probe(
                        read.get(which), writer.line(written.get(which)), System.nanoTime())));
      }
      replies.add(reply);
    }
    replies.forEach(CompletableFuture::join);
    double took = (System.nanoTime() - start) / 1e9;
    if (took > duration * 1.1) {
      System.out.printf("the machine took %.1f s for writes of %d s%n", took, duration);
    }
    watcher.join();
    return millis.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static void watch(
      InProcess reader, Queue<Probe> waiting, List<Double> millis, int expected) {
    while (millis.size() < expected) {
      for (Iterator<Probe> probes = waiting.iterator(); probes.hasNext(); ) {
        Probe probe = probes.next();
        if (reader.line(probe.board) >= probe.line) {
          millis.add((System.nanoTime() - probe.acknowledged) / 1e6);
          probes.remove();
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
