package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What every user must have, by what was acknowledged. Thread-safe. */
final class Totals {
  private static final Pattern ROW =
      Pattern.compile("\"userId\":\"u(\\d+)\"[^}]*?\"score\":(-?\\d+)");
  private static final Pattern CURSOR = Pattern.compile("\"nextCursor\":\"([^\"]+)\"");
  private static final Pattern SEASON = Pattern.compile("\"instanceId\":\"([^\"]+)\"");

  private final AtomicLongArray acknowledged;

  Totals(int users) {
    acknowledged = new AtomicLongArray(users);
  }

  void add(int user, long points) {
    acknowledged.addAndGet(user, points);
  }

  int users() {
    return acknowledged.length();
  }

  long sum() {
    long sum = 0;
    for (int i = 0; i < acknowledged.length(); i++) {
      sum += acknowledged.get(i);
    }
    return sum;
  }

  /** How many users have something else in the seasons of a window, all taken together. */
  int wrong(int port, String period) throws IOException {
    long[] found = new long[acknowledged.length()];
    try (SoakConnection connection = new SoakConnection(port)) {
      String seasons = get(connection, "/seasons?period=" + period);
      Matcher season = SEASON.matcher(seasons);
      while (season.find()) {
        read(connection, "/top?limit=1000&period=" + period + "&season=" + season.group(1), found);
      }
    }
    int wrong = 0;
    for (int i = 0; i < found.length; i++) {
      if (found[i] != acknowledged.get(i)) {
        wrong++;
      }
    }
    return wrong;
  }

  private static void read(SoakConnection connection, String path, long[] found)
      throws IOException {
    String from = "";
    do {
      String page = get(connection, path + from);
      Matcher row = ROW.matcher(page);
      while (row.find()) {
        found[Integer.parseInt(row.group(1))] += Long.parseLong(row.group(2));
      }
      Matcher next = CURSOR.matcher(page);
      from = next.find() ? "&cursor=" + next.group(1) : "";
    } while (!from.isEmpty());
  }

  private static String get(SoakConnection connection, String path) throws IOException {
    SoakConnection.Answer answer = connection.call("GET", SoakLoad.BOARD + path, "");
    if (answer.status() != 200) {
      throw new IOException(path + ": " + answer.status() + " " + answer.body());
    }
    return answer.body();
  }
}
