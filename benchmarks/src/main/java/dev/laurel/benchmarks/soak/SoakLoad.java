package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Honest callers: single writes with event ids and metadata, batches, reads. A write without an
 * answer is sent again with its id until there is one, so at the end every total is known. Each
 * worker has one of these; not thread-safe.
 */
final class SoakLoad {
  static final String BOARD = "/api/v1/leaderboards/soak";
  static final int BATCH = 50;
  private static final int LONGEST_METADATA = 300;
  private static final int ATTEMPTS = 100;
  private static final AtomicLong NEXT_ID = new AtomicLong();

  private final int port;
  private final Totals totals;
  private final Counts counts;
  private @Nullable SoakConnection connection;

  SoakLoad(int port, Totals totals, Counts counts) {
    this.port = port;
    this.totals = totals;
    this.counts = counts;
  }

  /** A board with three windows, and everybody on it. */
  void prepare() throws IOException {
    SoakConnection.Answer made =
        call(
            "POST",
            "/api/v1/leaderboards",
            "",
            SoakServer.ascii(
                "{\"UUID\":\"soak\",\"update\":\"SUM\",\"visibility\":\"PUBLIC\",\"windows\":["
                    + "{\"schedule\":\"all-time\"},{\"schedule\":\"daily\"},{\"schedule\":\"hourly\"}]}"));
    if (made.status() != 201) {
      throw new IllegalStateException(made.toString());
    }
    for (int from = 0; from < totals.users(); from += 1000) {
      int[] users = new int[Math.min(1000, totals.users() - from)];
      for (int i = 0; i < users.length; i++) {
        users[i] = from + i;
      }
      batch(users, "");
    }
  }

  void single() throws IOException {
    Random random = ThreadLocalRandom.current();
    int user = random.nextInt(totals.users());
    int points = 1 + random.nextInt(9);
    String json =
        "{\"score\":%d,\"eventId\":\"e%d\",\"metadata\":{\"note\":\"%s\"}}"
            .formatted(
                points, NEXT_ID.incrementAndGet(), "x".repeat(random.nextInt(LONGEST_METADATA)));
    byte[] body = SoakServer.ascii(json);
    if (write("PUT", BOARD + "/users/u" + user, "", body) == 200) {
      totals.add(user, points);
    }
    // Now and then a caller repeats itself: nothing may change.
    if (random.nextInt(10) == 0) {
      write("PUT", BOARD + "/users/u" + user, "", body);
    }
  }

  void batch() throws IOException {
    int[] users = ThreadLocalRandom.current().ints(BATCH, 0, totals.users()).toArray();
    batch(users, "");
  }

  /** A batch of nearly a megabyte. */
  int heavyBatch() throws IOException {
    int[] users = ThreadLocalRandom.current().ints(250, 0, totals.users()).toArray();
    return batch(users, ",\"metadata\":{\"note\":\"" + "x".repeat(3900) + "\"}");
  }

  private int batch(int[] users, String more) throws IOException {
    StringBuilder json = new StringBuilder("{\"scores\":[");
    for (int i = 0; i < users.length; i++) {
      json.append(i == 0 ? "{\"userId\":\"u" : ",{\"userId\":\"u").append(users[i]);
      json.append("\",\"score\":1").append(more).append('}');
    }
    byte[] body = SoakServer.ascii(json.append("]}").toString());
    String key = "Idempotency-Key: k" + NEXT_ID.incrementAndGet() + "\r\n";
    int status = write("POST", BOARD + "/scores", key, body);
    if (status == 200) {
      for (int user : users) {
        totals.add(user, 1);
      }
    }
    return status;
  }

  /** Until it is known what became of it. */
  private int write(String method, String path, String headers, byte[] body) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return call(method, path, headers, body).status();
      } catch (IOException e) {
        counts.lost();
        if (attempt == ATTEMPTS) {
          throw e;
        }
        pause(100);
      }
    }
  }

  void read() throws IOException {
    Random random = ThreadLocalRandom.current();
    String user = "u" + random.nextInt(totals.users());
    String period =
        switch (random.nextInt(3)) {
          case 0 -> "all-time";
          case 1 -> "daily";
          default -> "hourly";
        };
    String path =
        switch (random.nextInt(4)) {
          case 0 -> "/top?limit=100&period=" + period;
          case 1 -> "/users/" + user + "/around?window=5&period=" + period;
          default -> "/users/" + user + "/rank?period=" + period;
        };
    call("GET", BOARD + path, "", new byte[0]);
  }

  SoakConnection.Answer call(String method, String path, String headers, byte[] body)
      throws IOException {
    SoakConnection open = connection;
    if (open == null) {
      open = new SoakConnection(port);
      connection = open;
    }
    try {
      SoakConnection.Answer answer = open.call(method, path, headers, body);
      counts.answered(answer.status());
      if (open.isClosing()) {
        close();
      }
      return answer;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  void close() {
    SoakConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // It is over either way.
      }
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(Math.max(0, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
