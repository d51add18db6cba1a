package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.api.StreamedBoards.Row;
import dev.laurel.server.api.StreamedBoards.Seen;
import dev.laurel.server.api.StreamedBoards.Watch;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.stack.RedisServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Snapshots and updates are what REST says, whenever nothing moves: two nodes on one database with
 * ranks in Redis, many boards on one connection to each, scores, deletions, names, erasures, states
 * and capacities at random. {@code benchmarks/streams} runs it for longer.
 */
class StreamModelTest {
  private static final int COMPARISONS = Integer.getInteger("laurel.model.comparisons", 400);
  private static final int BOARDS = Integer.getInteger("laurel.model.boards", 6);
  private static final long SEED = Long.getLong("laurel.model.seed", System.nanoTime());
  private static final int USERS = 12;
  private static final int TOP = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir static Path folder = Path.of("");

  private final Random random = new Random(SEED);
  private final List<TestServer> nodes = new ArrayList<>();
  private final boolean[] paused = new boolean[BOARDS];

  /** One whom a range is around is erased: the id is somebody else's then. */
  private static String user(int number) {
    return "u" + number;
  }

  @Test
  void streams_atQuietPoints_areWhatRestSays() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    try (RedisServer redis = RedisServer.start(folder)) {
      for (int i = 0; i < 2; i++) {
        nodes.add(
            TestServer.start(
                s -> s.with(Settings.DATABASE_URL, url).with(Settings.REDIS_URL, redis.url()),
                _ -> {}));
      }
      try {
        watch();
      } finally {
        nodes.forEach(TestServer::close);
      }
    }
  }

  private void watch() {
    List<Watch> watches = new ArrayList<>();
    for (int i = 0; i < BOARDS; i++) {
      String ties = List.of("EARLIEST_FIRST", "SHARED", "DENSE").get(i % 3);
      String capacity = i % 4 == 3 ? ",'capacity':8" : "";
      ok(
          send(
              0,
              "POST",
              Api.BOARDS,
              "{'UUID':'b%d','visibility':'PUBLIC','decimals':0,'update':'LATEST','ties':'%s','windows':[{'name':'w','schedule':'all-time'%s}]}"
                  .formatted(i, ties, capacity)));
      watches.add(new Watch("b" + i, "'top':" + TOP, TOP));
      watches.add(new Watch("b" + i, "'user':'" + user(i % USERS) + "','window':1", 3));
    }
    for (int i = 0; i < BOARDS; i++) {
      String board = Api.BOARDS + "/b" + i;
      Poll.until("the board is known", () -> send(1, "GET", board, null).statusCode() == 200);
    }
    try (StreamedBoards one = new StreamedBoards(nodes.get(0), watches);
        StreamedBoards two = new StreamedBoards(nodes.get(1), watches)) {
      int compared = 0;
      while (compared < COMPARISONS) {
        for (int i = 0; i < BOARDS; i++) {
          change(i);
        }
        changeUsers();
        compared += compare(List.of(one, two), watches);
      }
      System.out.println(compared + " comparisons, seed " + SEED);
    }
  }

  /**
   * All of a board's changes of one round are on one node: what that one says then is the truth.
   */
  private void change(int number) {
    String board = Api.BOARDS + "/b" + number;
    int node = random.nextInt(2);
    if (random.nextInt(8) == 0) {
      paused[number] = !paused[number];
      String status = paused[number] ? "PAUSED" : "ACTIVE";
      ok(send(node, "PATCH", board, "{'status':'" + status + "'}"));
    }
    if (number % 4 == 3 && random.nextInt(5) == 0) {
      String window = "{'schedule':'all-time','capacity':" + (2 + random.nextInt(9)) + "}";
      ok(send(node, "PUT", board + "/windows/w", window));
    }
    for (int i = random.nextInt(6); i > 0 && !paused[number]; i--) {
      String user = board + "/users/" + user(random.nextInt(USERS));
      if (random.nextInt(10) == 0) {
        send(node, "DELETE", user, null);
      } else {
        // Answers of another node may not know yet that it is active again.
        send(node, "PUT", user, "{'score':" + random.nextInt(10) + "}");
      }
    }
  }

  private void changeUsers() {
    String user = "/api/v1/users/" + user(random.nextInt(USERS));
    int node = random.nextInt(2);
    switch (random.nextInt(4)) {
      case 0 ->
          send(
              node,
              "PUT",
              user + "/profile",
              "{'displayName':'Name %d'}".formatted(random.nextInt(100)));
      case 1 -> send(node, "PUT", user + "/profile", "{'anonymous':'everywhere'}");
      case 2 -> send(node, "PUT", user + "/profile", "{'anonymous':{'below':2}}");
      default -> {
        if (random.nextInt(3) == 0) {
          send(node, "DELETE", user, null);
        }
      }
    }
  }

  private int compare(List<StreamedBoards> streams, List<Watch> watches) {
    for (Watch watch : watches) {
      Poll.until(
          "both nodes say the same of " + watch + ", seed " + SEED,
          PATIENCE,
          () -> rest(0, watch).equals(rest(1, watch)));
    }
    int compared = 0;
    for (int node = 0; node < streams.size(); node++) {
      for (int i = 0; i < watches.size(); i++) {
        StreamedBoards stream = streams.get(node);
        int place = i;
        Watch watch = watches.get(i);
        Seen expected = rest(node, watch);
        try {
          Poll.until(
              "the stream says it",
              Duration.ofSeconds(20),
              () -> equal(stream.seen(place), expected));
        } catch (AssertionError e) {
          assertThat(stream.seen(place))
              .as("node %d, %s, seed %d", node, watch, SEED)
              .isEqualTo(rest(node, watch));
        }
        compared++;
      }
    }
    return compared;
  }

  private static boolean equal(@Nullable Seen seen, Seen rest) {
    return seen != null
        && seen.status().equals(rest.status())
        && seen.total() == rest.total()
        && seen.rows().equals(rest.rows())
        && seen.outsider().equals(rest.outsider());
  }

  /** What somebody without a key reads. */
  private Seen rest(int node, Watch watch) {
    String board = Api.BOARDS + "/" + watch.board();
    String status = json(node, board).path("status").asString("");
    List<Row> rows = new ArrayList<>();
    if (watch.places() == TOP) {
      JsonNode top = json(node, board + "/top?limit=" + TOP);
      top.path("users").forEach(row -> rows.add(Row.of(row)));
      return new Seen(status, top.path("totalUsers").asLong(), 1, rows, "");
    }
    String user = watch.fields().replaceAll("'user':'(u\\d+)'.*", "$1");
    long total = json(node, board + "/top?limit=1").path("totalUsers").asLong();
    JsonNode around = json(node, board + "/users/" + user + "/around?window=1");
    JsonNode own = around.path("user");
    around.path("above").forEach(row -> rows.add(Row.of(row)));
    boolean outside = own.path("outside").asBoolean(false);
    if (!own.isMissingNode() && !outside) {
      rows.add(Row.of(own));
    }
    around.path("below").forEach(row -> rows.add(Row.of(row)));
    return new Seen(status, total, 1, rows, outside ? Row.of(own).toString() : "");
  }

  private JsonNode json(int node, String path) {
    TestServer server = nodes.get(node);
    return JSON.readTree(server.send(server.anonymous(path).GET()).body());
  }

  private HttpResponse<String> send(int node, String method, String path, @Nullable String body) {
    TestServer server = nodes.get(node);
    var request = server.request(path);
    if (body == null) {
      return server.send(request.method(method, BodyPublishers.noBody()));
    }
    return server.send(
        request
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private static void ok(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }
}
