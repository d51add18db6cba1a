package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * How soon a commit of one node is visible on another: two nodes in this process on one PostgreSQL,
 * with NOTIFY and their followers as the server has them. At 2,000 writes a second, and when the
 * node that committed is killed before it told anybody.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.ClusterFigure</pre>
 */
public final class ClusterFigure {
  private static final int WRITES_PER_SECOND = 2_000;
  private static final int WARM_UP_SECONDS = 5;
  private static final int SECONDS = 20;
  private static final int USERS = 100_000;
  private static final int KILLS = 10;

  /** How closely the other node is watched. */
  private static final long LOOK_NANOS = 200_000;

  private final String url;
  private final NavigableMap<Long, Long> seen = new ConcurrentSkipListMap<>();

  private ClusterFigure(String url) {
    this.url = url;
  }

  public static void main(String[] args) throws Exception {
    try (WorkFolder folder = WorkFolder.create("laurel-cluster");
        PostgresServer server = PostgresServer.start(folder.path())) {
      new ClusterFigure(server.url(server.newDatabase())).run();
    }
  }

  private void run() throws Exception {
    try (InProcess writer = new InProcess(PostgresStore.open(url, null, null, null));
        InProcess reader = new InProcess(PostgresStore.open(url, null, null, null))) {
      Board board = writer.board(1, "board", WindowDefinition.ALL_TIME);
      writer.submit(board, new Random(1), 1000, USERS).join();
      Board there = reader.known(1, "board");
      reader.follow();
      Thread watcher = Thread.ofPlatform().daemon().start(() -> watch(reader, there));
      while (seen.isEmpty()) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      writes(writer, board, WARM_UP_SECONDS);
      writes(writer, board, SECONDS);
      kills(board);
      watcher.interrupt();
      watcher.join();
    }
  }

  /** When readers there first saw each line. */
  private void watch(InProcess reader, Board board) {
    long last = -1;
    while (!Thread.currentThread().isInterrupted()) {
      long line = reader.line(board);
      if (line > last) {
        seen.put(line, System.nanoTime());
        last = line;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** By a schedule, whatever the store does; the line of a write is at most that of its reply. */
  private void writes(InProcess writer, Board board, int seconds) {
    int count = WRITES_PER_SECOND * seconds;
    long[] sent = new long[count];
    long[] acknowledged = new long[count];
    long[] line = new long[count];
    Random random = new Random(2);
    long start = System.nanoTime();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long due = start + i * 1_000_000_000L / WRITES_PER_SECOND;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int write = i;
      sent[i] = due;
      replies.add(
          writer
              .submit(board, random, 1, USERS)
              .whenComplete(
                  (_, _) -> {
                    acknowledged[write] = System.nanoTime();
                    line[write] = writer.line(board);
                  }));
    }
    replies.forEach(CompletableFuture::join);
    awaitLine(line[count - 1]);
    double[] sinceCommit = new double[count];
    double[] sinceSent = new double[count];
    for (int i = 0; i < count; i++) {
      long visible = seen.ceilingEntry(line[i]).getValue();
      sinceCommit[i] = Math.max(0, visible - acknowledged[i]) / 1e6;
      sinceSent[i] = (visible - sent[i]) / 1e6;
    }
    System.out.printf(
        "%,d writes at %,d/s: visible on the other node after the acknowledgement %s, after the"
            + " request was due %s (goal: p99 < 100 ms)%n",
        count, WRITES_PER_SECOND, percentiles(sinceCommit), percentiles(sinceSent));
  }

  private void awaitLine(long line) {
    while (seen.lastKey() < line) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static String percentiles(double[] millis) {
    Arrays.sort(millis);
    return "p50 %.1f ms, p99 %.1f ms, max %.1f ms"
        .formatted(
            millis[millis.length / 2], millis[millis.length * 99 / 100], millis[millis.length - 1]);
  }

  /** A process of its own commits one write and is killed before its index has it. */
  private void kills(Board board) throws Exception {
    double[] millis = new double[KILLS];
    for (int i = 0; i < KILLS; i++) {
      long before = seen.lastKey();
      long wallAhead = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
      Process node =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  DyingNode.class.getName(),
                  url,
                  board.uuid())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String committed;
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
        committed = out.readLine();
      }
      if (committed == null || node.waitFor() != DyingNode.KILLED) {
        throw new IllegalStateException("the node was not killed: exit " + node.exitValue());
      }
      awaitLine(before + 1);
      long visible = seen.higherEntry(before).getValue() + wallAhead;
      millis[i] = visible / 1e6 - Long.parseLong(committed);
    }
    System.out.printf(
        "%d nodes killed between commit and index: visible on the other node after it %s"
            + " (goal: < 1000 ms)%n",
        KILLS, percentiles(millis));
  }
}
