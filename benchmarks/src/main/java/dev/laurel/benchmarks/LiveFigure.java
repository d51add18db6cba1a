package dev.laurel.benchmarks;

import dev.laurel.stack.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many who watch the first ten of a board that changes ten times a second: memory a client, events
 * delivered, how long after the write they arrive, and what reads of the same server notice. Then
 * the same for the rival; then a restart with many who come back at once. The server is a process
 * of its own, this one is the crowd, the writer and the reader. With {@code apart} the first core
 * is the server's and the others are the crowd's, as if it came from elsewhere.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.LiveFigure [laurel|rival [CLIENTS [SECONDS [apart]]]]
 * </pre>
 */
public final class LiveFigure {
  private static final String BOARD = "/api/v1/leaderboards/bench";
  private static final int BACK_AT_ONCE = 5000;
  private static final int WRITES_A_SECOND = 10;
  private static final int READS_A_SECOND = 200;

  /** Apart from each other by more than there are writes. */
  private static final long EACH = 10_000_000;

  /** When the write with this number was sent. */
  private final AtomicLongArray sent = new AtomicLongArray(1_000_000);

  private int written;
  private final int port = LiveServer.freePort();
  private final Path folder;

  /** Of the rival; null for Laurel. */
  private final @Nullable String redis;

  private final boolean apart;

  private LiveFigure(Path folder, @Nullable String redis, boolean apart) {
    this.folder = folder;
    this.redis = redis;
    this.apart = apart;
  }

  public static void main(String[] args) throws Exception {
    boolean rival = args.length > 0 && args[0].equals("rival");
    int clients = args.length < 2 ? 15_000 : Integer.parseInt(args[1]);
    int seconds = args.length < 3 ? 20 : Integer.parseInt(args[2]);
    boolean apart = args.length > 3 && args[3].equals("apart");
    try (WorkFolder folder = WorkFolder.create("laurel-live");
        RedisServer redis = rival ? RedisServer.start(folder.path()) : null) {
      new LiveFigure(folder.path(), redis == null ? null : redis.url(), apart)
          .run(clients, seconds);
    }
  }

  private void run(int clients, int seconds) throws Exception {
    boolean rival = redis != null;
    System.out.println(rival ? "Vert.x and Redis pub/sub" : "Laurel");
    LiveServer server = start();
    try {
      if (!rival) {
        call(
            "POST",
            "/api/v1/leaderboards",
            "{\"UUID\":\"bench\",\"decimals\":0,\"visibility\":\"PUBLIC\",\"update\":\"LATEST\"}");
      }
      for (int i = 0; i < 1000; i++) {
        write("filler-" + i, 0);
      }
      load(3); // warm
      System.out.printf("  reads with nobody watching: %s%n", load(seconds));
      long heap = server.heap();
      long resident = server.resident();
      Times arrival = new Times();
      long begin = System.nanoTime();
      try (SseCrowd crowd = crowd(clients, 500, arrival)) {
        await(crowd, clients);
        System.out.printf(
            "  %,d clients after %.1f s%n", clients, (System.nanoTime() - begin) / 1e9);
        System.out.printf(
            "  a client: %.1f KB of heap, %.1f KB resident%n",
            (server.heap() - heap) / 1024.0 / clients,
            (server.resident() - resident) / 1024.0 / clients);
        load(3);
        arrival.clear();
        long events = crowd.events.get();
        begin = System.nanoTime();
        double cpu = server.cpuSeconds();
        Reads reads = load(seconds);
        double took = (System.nanoTime() - begin) / 1e9;
        System.out.printf("  reads with all watching: %s%n", reads);
        System.out.printf(
            "  %,.0f events a second (%,d lost clients), from the write to the client: %s%n",
            (crowd.events.get() - events) / took, crowd.lost.get(), arrival);
        System.out.printf(
            "  server: %.0f %% of a core%n", 100 * (server.cpuSeconds() - cpu) / took);
      }
      if (!rival) {
        server.close();
        server = start();
        begin = System.nanoTime();
        try (SseCrowd crowd = crowd(Math.min(clients, BACK_AT_ONCE), BACK_AT_ONCE, new Times())) {
          await(crowd, Math.min(clients, BACK_AT_ONCE));
          System.out.printf(
              "  after a restart %,d clients at once have their snapshot after %.2f s%n",
              crowd.watching.get(), (System.nanoTime() - begin) / 1e9);
        }
      }
    } finally {
      server.close();
    }
  }

  private LiveServer start() throws Exception {
    LiveServer server = LiveServer.start(folder, port, redis);
    if (apart) {
      int last = Runtime.getRuntime().availableProcessors() - 1;
      server.keepTo("0");
      LiveServer.keepTo(ProcessHandle.current().pid(), last < 2 ? "1" : "1-" + last);
    }
    return server;
  }

  private SseCrowd crowd(int clients, int atOnce, Times arrival) throws IOException {
    return new SseCrowd(
        port,
        BOARD + "/stream",
        clients,
        atOnce,
        score -> {
          int number = (int) (score % EACH);
          long at = number > written ? 0 : sent.get(number);
          if (at != 0) {
            arrival.add(System.nanoTime() - at);
          }
        });
  }

  private static void await(SseCrowd crowd, int clients) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (crowd.watching.get() < clients) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "watching: %d, lost: %d (expected: %d watching)"
                .formatted(crowd.watching.get(), crowd.lost.get(), clients));
      }
      Thread.sleep(5);
    }
  }

  /**
   * How long reads took.
   *
   * @param due from when they were due: a server that stalls is not asked less often
   * @param sent from when they were sent: without how late the reader itself was, which shares its
   *     cores with the crowd
   */
  private record Reads(Times due, Times sent) {
    @Override
    public String toString() {
      return due + "; from when they were sent: " + sent;
    }
  }

  /** Writes at its rate, and reads the top at another. */
  private Reads load(int seconds) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (PlainConnection connection = new PlainConnection(port)) {
                    paced(
                        WRITES_A_SECOND,
                        over,
                        _ -> {
                          int number = written + 1;
                          sent.set(number, System.nanoTime());
                          written = number;
                          // Everyone keeps their place, so a write changes one row.
                          int user = number % 10;
                          connection.call(
                              "PUT",
                              BOARD + "/users/lead-" + user,
                              "{\"score\":" + (EACH * (user + 1) + number) + "}");
                        });
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    Reads reads = new Reads(new Times(), new Times());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try (PlainConnection connection = new PlainConnection(port)) {
      paced(
          READS_A_SECOND,
          over,
          due -> {
            long begin = System.nanoTime();
            connection.call("GET", BOARD + "/top?limit=10", "");
            long answered = System.nanoTime();
            reads.due.add(answered - due);
            reads.sent.add(answered - begin);
            over.set(answered > end);
          });
    }
    writer.join();
    return reads;
  }

  private interface Step {
    void at(long due) throws IOException;
  }

  private static void paced(int aSecond, AtomicBoolean over, Step step) throws IOException {
    long pause = TimeUnit.SECONDS.toNanos(1) / aSecond;
    for (long due = System.nanoTime(); !over.get(); due += pause) {
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      step.at(due);
    }
  }

  private void write(String user, int score) throws IOException {
    call("PUT", BOARD + "/users/" + user, "{\"score\":" + score + "}");
  }

  private void call(String method, String path, String body) throws IOException {
    try (PlainConnection connection = new PlainConnection(port)) {
      connection.call(method, path, body);
    }
  }
}
