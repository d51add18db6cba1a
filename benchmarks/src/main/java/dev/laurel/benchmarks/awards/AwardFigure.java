package dev.laurel.benchmarks.awards;

import dev.laurel.benchmarks.WorkFolder;
import dev.laurel.benchmarks.rivals.RedisAwards;
import dev.laurel.server.Laurel;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A load of awards: 1,000 awards a second steady, 5,000 for 60 s, none lost, none doubled, p50
 * below 50 ms and p95 below 150 ms. Durable, with tokens verified by JWKS, retries and replays
 * among them; beside it, at the same rates, a thin service that does the same in Redis' memory.
 *
 * <pre>
 * benchmarks/run dev.laurel.benchmarks.awards.AwardFigure [laurel|redis|both [RATE SECONDS]...]
 * </pre>
 */
public final class AwardFigure {
  private static final String KEY = "benchmark-admin-key-1";
  private static final int USERS = 10_000;
  private static final int PAGE = 1000;
  private static final Pattern ENTRY =
      Pattern.compile("\"userId\":\"player-(\\d+)\",\"rank\":\\d+,\"score\":(\\d+)");

  private AwardFigure() {}

  public static void main(String[] args) throws Exception {
    String who = args.length == 0 ? "both" : args[0];
    int[] plan = {1000, 60, 5000, 60};
    if (args.length > 1) {
      plan = new int[args.length - 1];
      for (int i = 0; i < plan.length; i++) {
        plan[i] = Integer.parseInt(args[i + 1]);
      }
    }
    Path parent = Path.of(System.getProperty("laurel.root", "."), "benchmarks", "target");
    Path path = Files.createTempDirectory(Files.createDirectories(parent), "awards-");
    try (WorkFolder folder = new WorkFolder(path);
        Login login = new Login()) {
      String[] tokens = login.tokens(USERS);
      if (!who.equals("redis")) {
        System.out.println("Laurel, SQLite, fsync on:");
        laurel(path, login, tokens, plan);
      }
      if (!who.equals("laurel")) {
        System.out.println("Vert.x and Redis, in memory:");
        try (RedisServer redis = RedisServer.start(path);
            RedisAwards rival = RedisAwards.start(redis.port(), login.key())) {
          AwardLoad load = new AwardLoad(rival.port(), tokens);
          drive(load, plan);
          if (load.unexpected() > 0) {
            throw new IllegalStateException(load.unexpected() + " answers that should not come");
          }
        }
      }
    }
  }

  /** With limits as somebody sets them who expects such a load; they are counted all the same. */
  static Configuration settings(Path folder, Login login) {
    return Configuration.defaults()
        .with(Settings.PORT, "0")
        .with(Settings.DATA, folder.resolve("data").toString())
        .with(Settings.ADMIN_KEY, KEY)
        .with(Settings.JWT_JWKS_URL, login.url())
        .with(Settings.JWT_ISSUER, Login.ISSUER)
        .with(Settings.JWT_AUDIENCE, Login.AUDIENCE)
        .with(Settings.LOG_LEVEL, "warn")
        .with(Settings.AWARD_RATE, "1000000")
        .with(Settings.USER_RATE, "1000000")
        .with(Settings.ADDRESS_READ_RATE, "10000000");
  }

  /** Runs the load, and compares every user's total with what was acknowledged. */
  static AwardLoad laurel(Path folder, Login login, String[] tokens, int... plan)
      throws IOException, InterruptedException {
    try (Laurel laurel = Laurel.start(settings(folder, login));
        HttpClient client = HttpClient.newHttpClient()) {
      call(
          client,
          request(laurel, "/api/v1/award-rules")
              .header("Content-Type", "application/json")
              .PUT(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"version\":1,\"rules\":{\"watch_video\":25},"
                          + "\"limits\":{\"watch_video\":1000000}}")));
      AwardLoad load = new AwardLoad(laurel.port(), tokens);
      drive(load, plan);
      compare(load, totals(client, laurel, tokens.length));
      return load;
    }
  }

  private static void drive(AwardLoad load, int... plan) throws InterruptedException {
    long seed = new Random().nextLong();
    // The compiler must be done before somebody is timed.
    load.run(Math.min(1000, plan[0]), 5, seed);
    for (int i = 0; i < plan.length; i += 2) {
      System.out.printf(
          "  %,d a second for %d s: %s%n",
          plan[i], plan[i + 1], load.run(plan[i], plan[i + 1], seed + i + 1));
    }
  }

  private static int[] totals(HttpClient client, Laurel laurel, int users)
      throws IOException, InterruptedException {
    int[] totals = new int[users];
    for (int offset = 0; offset < users; offset += PAGE) {
      String page =
          call(
              client,
              request(
                  laurel, "/api/v1/leaderboards/global/top?limit=" + PAGE + "&offset=" + offset));
      for (Matcher entry = ENTRY.matcher(page); entry.find(); ) {
        totals[Integer.parseInt(entry.group(1))] = Integer.parseInt(entry.group(2));
      }
    }
    return totals;
  }

  private static void compare(AwardLoad load, int[] totals) {
    long sum = 0;
    for (int user = 0; user < totals.length; user++) {
      sum += totals[user];
      if (totals[user] != load.acknowledged(user)) {
        throw new IllegalStateException(
            "%s has %d (expected: %d)"
                .formatted(Login.user(user), totals[user], load.acknowledged(user)));
      }
    }
    System.out.printf("  %,d points, as acknowledged: none lost, none doubled%n", sum);
    if (load.unexpected() > 0) {
      throw new IllegalStateException(load.unexpected() + " answers that should not come");
    }
  }

  private static HttpRequest.Builder request(Laurel laurel, String path) {
    return HttpRequest.newBuilder(URI.create(laurel.url() + path)).header("X-API-Key", KEY);
  }

  private static String call(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.body());
    }
    return response.body();
  }
}
