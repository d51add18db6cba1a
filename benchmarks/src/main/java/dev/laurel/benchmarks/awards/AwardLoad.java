package dev.laurel.benchmarks.awards;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Users who report actions at a given rate, whatever the server does: a request is due by a
 * schedule, and its latency counts from then, so one that waits for a stalled server counts its
 * waiting. One in twenty is sent again with the same key, as after a lost answer, and one in fifty
 * with another key, as by somebody who wants to be paid twice.
 */
final class AwardLoad {
  private static final int POINTS = 25;
  private static final int CONNECTIONS = 256;

  private final int port;
  private final String[] tokens;

  /** Points that the server said each user got. */
  private final AtomicIntegerArray acknowledged;

  private final AtomicInteger unexpected = new AtomicInteger();

  /**
   * @param counts how many there were of each kind of answer
   */
  record Result(double p50, double p95, double p99, double max, Map<String, Integer> counts) {
    @Override
    public String toString() {
      return "p50 %.2f ms, p95 %.2f ms, p99 %.2f ms, longest %.0f ms; %s"
          .formatted(p50, p95, p99, max, counts);
    }
  }

  AwardLoad(int port, String[] tokens) {
    this.port = port;
    this.tokens = tokens;
    this.acknowledged = new AtomicIntegerArray(tokens.length);
  }

  int acknowledged(int user) {
    return acknowledged.get(user);
  }

  /** Answers that should not have come. */
  int unexpected() {
    return unexpected.get();
  }

  Result run(int rate, int seconds, long seed) throws InterruptedException {
    int requests = rate * seconds;
    long[] latencies = new long[requests];
    Map<String, Integer> counts = new TreeMap<>();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        Caller caller = new Caller(new Random(seed + i));
        workers.execute(
            () -> {
              for (int n = next.getAndIncrement(); n < requests; n = next.getAndIncrement()) {
                long due = start + (long) (n * 1e9 / rate);
                for (long left = due - System.nanoTime();
                    left > 0;
                    left = due - System.nanoTime()) {
                  LockSupport.parkNanos(left);
                }
                String kind = caller.call();
                latencies[n] = System.nanoTime() - due;
                synchronized (counts) {
                  counts.merge(kind, 1, Integer::sum);
                }
              }
              caller.close();
            });
      }
    }
    Arrays.sort(latencies);
    return new Result(
        at(latencies, 0.5), at(latencies, 0.95), at(latencies, 0.99), at(latencies, 1), counts);
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, (long) (share * sorted.length))] / 1e6;
  }

  /** One connection, kept open. */
  private final class Caller {
    private final Random random;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();
    private int user;
    private String action = "";
    private String key = "";
    private boolean given;

    Caller(Random random) {
      this.random = random;
    }

    String call() {
      int kind = random.nextInt(100);
      boolean again = given && kind < 5;
      boolean twice = given && kind >= 5 && kind < 7;
      if (!again) {
        key = UUID.randomUUID().toString();
      }
      if (!again && !twice) {
        user = random.nextInt(tokens.length);
        action = UUID.randomUUID().toString();
      }
      int status = send();
      boolean good = status == 200 || status == 202;
      given = good || twice;
      if (good && !again && !twice) {
        acknowledged.addAndGet(user, POINTS);
      }
      if (twice ? status != 409 : !good) {
        unexpected.incrementAndGet();
      }
      // After a replay the key belongs to no award.
      given &= !twice;
      return (again ? "retries " : twice ? "replays " : "awards ") + status;
    }

    /** The status; 0 if the connection broke. */
    private int send() {
      String body =
          "{\"action_type\":\"watch_video\",\"action_id\":\"%s\",\"idempotency_key\":\"%s\"}"
              .formatted(action, key);
      String request =
          "POST /v1/scores/award HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
              + tokens[user]
              + "\r\nContent-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      try {
        if (!socket.isConnected()) {
          socket = new Socket(InetAddress.getLoopbackAddress(), port);
          socket.setTcpNoDelay(true);
          socket.setSoTimeout(30_000);
          in = new BufferedInputStream(socket.getInputStream());
        }
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return readAnswer();
      } catch (IOException e) {
        close();
        socket = new Socket();
        return 0;
      }
    }

    private int readAnswer() throws IOException {
      int status = Integer.parseInt(line().substring(9, 12));
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      in.skipNBytes(length);
      return status;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder(64);
      for (int c = in.read(); c != '\r'; c = in.read()) {
        if (c < 0) {
          throw new IOException("closed");
        }
        line.append((char) c);
      }
      in.read();
      return line.toString();
    }

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        // It is gone either way.
      }
    }
  }
}
