package dev.laurel.benchmarks;

import dev.laurel.stack.RedisServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many who watch the first ten of a board that changes ten times a second: memory a client, events
 * delivered, how long after the write they arrive, and what reads of the same server notice. Then
 * the same for the rival; then a restart with many who come back at once. The server is a process
 * of its own, this one is the crowd, the writer and the reader.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.LiveFigure [laurel|rival [CLIENTS [SECONDS]]]</pre>
 */
public final class LiveFigure {
  private static final String KEY = "benchmark-admin-key-1";
  private static final String BOARD = "/api/v1/leaderboards/bench";
  private static final int BACK_AT_ONCE = 5000;
  private static final int WRITES_A_SECOND = 10;
  private static final int READS_A_SECOND = 200;
  private static final Pattern HEAP = Pattern.compile("used (\\d+)K");

  /** When the write with this number was sent. */
  private final AtomicLongArray sent = new AtomicLongArray(1_000_000);

  private int written;
  private final int port = freePort();
  private final Path folder;
  private final boolean rival;
  private final String redis;

  private LiveFigure(Path folder, boolean rival, String redis) {
    this.folder = folder;
    this.rival = rival;
    this.redis = redis;
  }

  public static void main(String[] args) throws Exception {
    boolean rival = args.length > 0 && args[0].equals("rival");
    int clients = args.length < 2 ? 15_000 : Integer.parseInt(args[1]);
    int seconds = args.length < 3 ? 20 : Integer.parseInt(args[2]);
    Path folder = Files.createTempDirectory("laurel-live");
    try (RedisServer redis = rival ? RedisServer.start(folder) : null) {
      new LiveFigure(folder, rival, redis == null ? "" : redis.url()).run(clients, seconds);
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void run(int clients, int seconds) throws Exception {
    System.out.println(rival ? "Vert.x and Redis pub/sub" : "Laurel");
    Process server = start();
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
      long heap = heap(server);
      long resident = resident(server);
      Times arrival = new Times();
      long begin = System.nanoTime();
      try (SseCrowd crowd = crowd(clients, 500, arrival)) {
        await(crowd, clients);
        System.out.printf(
            "  %,d clients after %.1f s%n", clients, (System.nanoTime() - begin) / 1e9);
        System.out.printf(
            "  a client: %.1f KB of heap, %.1f KB resident%n",
            (heap(server) - heap) / 1024.0 / clients,
            (resident(server) - resident) / 1024.0 / clients);
        load(3);
        arrival.clear();
        long events = crowd.events.get();
        begin = System.nanoTime();
        double cpu = cpuSeconds(server);
        Times reads = load(seconds);
        double took = (System.nanoTime() - begin) / 1e9;
        System.out.printf("  reads with all watching: %s%n", reads);
        System.out.printf(
            "  %,.0f events a second (%,d lost clients), from the write to the client: %s%n",
            (crowd.events.get() - events) / took, crowd.lost.get(), arrival);
        System.out.printf("  server: %.0f %% of a core%n", 100 * (cpuSeconds(server) - cpu) / took);
      }
      if (!rival) {
        end(server);
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
      end(server);
    }
  }

  private SseCrowd crowd(int clients, int atOnce, Times arrival) throws IOException {
    return new SseCrowd(
        port,
        BOARD + "/stream",
        clients,
        atOnce,
        number -> {
          long at = number <= 0 || number > written ? 0 : sent.get((int) number);
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

  /** Writes at its rate, and reads the top at another; how long the reads took. */
  private Times load(int seconds) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Connection connection = new Connection(port)) {
                    paced(
                        WRITES_A_SECOND,
                        over,
                        _ -> {
                          int number = written + 1;
                          sent.set(number, System.nanoTime());
                          written = number;
                          connection.call(
                              "PUT",
                              BOARD + "/users/lead-" + number % 10,
                              "{\"score\":" + number + "}");
                        });
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    Times times = new Times();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try (Connection connection = new Connection(port)) {
      paced(
          READS_A_SECOND,
          over,
          due -> {
            connection.call("GET", BOARD + "/top?limit=10", "");
            // From when it was due: a server that stalls is not asked less often.
            times.add(System.nanoTime() - due);
            over.set(System.nanoTime() > end);
          });
    }
    writer.join();
    return times;
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
    try (Connection connection = new Connection(port)) {
      connection.call(method, path, body);
    }
  }

  // ---- the server

  private Process start() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseG1GC",
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx2g",
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(
        rival
            ? List.of("dev.laurel.benchmarks.rivals.VertxBroadcast", "" + port, redis)
            : List.of(
                "dev.laurel.server.Main",
                "serve",
                "--port",
                "" + port,
                "--data",
                folder.resolve("data").toString(),
                "--sse-clients-per-address",
                "0",
                "--address-rate-per-minute",
                "0"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().put("LAUREL_ADMIN_KEY", KEY);
    Process process = builder.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        call("GET", rival ? "/" : "/api/v1/health", "");
        return process;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IllegalStateException(Files.readString(folder.resolve("log")), e);
        }
        Thread.sleep(20);
      }
    }
  }

  private static void end(Process server) throws InterruptedException {
    server.destroy();
    if (!server.waitFor(20, TimeUnit.SECONDS)) {
      server.destroyForcibly().waitFor();
    }
  }

  /** Live objects, in bytes. */
  private static long heap(Process server) throws Exception {
    jcmd(server, "GC.run");
    Matcher used = HEAP.matcher(jcmd(server, "GC.heap_info"));
    if (!used.find()) {
      throw new IllegalStateException("GC.heap_info says nothing of the heap");
    }
    return 1024 * Long.parseLong(used.group(1));
  }

  private static String jcmd(Process server, String command) throws Exception {
    Path java = Path.of(ProcessHandle.current().info().command().orElseThrow());
    Process jcmd =
        new ProcessBuilder(java.resolveSibling("jcmd").toString(), "" + server.pid(), command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    return said;
  }

  private static long resident(Process server) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  private static double cpuSeconds(Process server) {
    return server.info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One connection for plain requests. */
  private static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Connection(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      in = new BufferedInputStream(socket.getInputStream());
    }

    void call(String method, String path, String body) throws IOException {
      String head =
          "%s %s HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\n".formatted(method, path, KEY)
              + (body.isEmpty()
                  ? ""
                  : "Content-Type: application/json\r\nContent-Length: %d\r\n"
                      .formatted(body.length()));
      socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.US_ASCII));
      String status = line();
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
          length = Integer.parseInt(line.substring(16));
        }
      }
      String answer = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      if (!status.contains(" 20")) {
        throw new IOException(status + " " + answer);
      }
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new IOException("closed");
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Durations, in steps of 10 microseconds up to 20 seconds. */
  private static final class Times {
    private static final int STEP = 10_000;
    private final long[] counts = new long[2_000_000];

    synchronized void add(long nanos) {
      counts[(int) Math.min(counts.length - 1, Math.max(0, nanos / STEP))]++;
    }

    synchronized void clear() {
      Arrays.fill(counts, 0);
    }

    private double millis(double part) {
      long rest = (long) (part * Arrays.stream(counts).sum());
      for (int i = 0; i < counts.length; i++) {
        rest -= counts[i];
        if (rest < 0) {
          return i * (STEP / 1e6);
        }
      }
      return counts.length * (STEP / 1e6);
    }

    @Override
    public synchronized String toString() {
      return "p50 %.2f ms, p95 %.2f ms, p99 %.2f ms"
          .formatted(millis(0.5), millis(0.95), millis(0.99));
    }
  }
}
