package dev.laurel.benchmarks.sidebyside;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A Laurel as its launcher starts it, with the board {@code bench} in it. */
final class LaurelServer {
  static final String ADMIN_KEY = "side-by-side-admin-key";
  private static final int BATCH = 1000;
  private static final int LOADERS = 4;
  private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

  private final Children children;
  private final Path root;
  private final String name;
  private final Map<String, String> settings;
  private final int port = Children.freePort();
  private Process process;
  private final Api api;

  private LaurelServer(
      Children children, Path root, String name, Map<String, String> settings, String key) {
    this.children = children;
    this.root = root;
    this.name = name;
    this.settings = new HashMap<>(settings);
    this.settings.put("LAUREL_ADMIN_KEY", ADMIN_KEY);
    Api admin = new Api(port, ADMIN_KEY);
    this.process = launch(() -> admin.tryGet("/api/v1/ready") != null);
    this.api = new Api(port, key.isEmpty() ? prepare(admin) : key);
  }

  /** Makes the board and a key for the load. */
  private static String prepare(Api admin) {
    admin.post(
        "/api/v1/leaderboards",
        "{\"UUID\":\"bench\",\"name\":\"bench\",\"update\":\"LATEST\",\"decimals\":0}");
    Matcher key =
        KEY.matcher(
            admin.post("/api/v1/keys", "{\"name\":\"wrk\",\"scopes\":[\"read\",\"ingest\"]}"));
    if (!key.find()) {
      throw new IllegalStateException("no key in the answer");
    }
    return key.group(1);
  }

  /** A second node on the same database, with the same board and key. */
  LaurelServer another(String other) {
    return new LaurelServer(children, root, other, settings, api.key());
  }

  static LaurelServer start(Children children, Path root, Users users) {
    return start(children, root, users, "laurel", Map.of());
  }

  /**
   * @param name of its log and its data folder
   * @param settings in the form of the environment
   */
  static LaurelServer start(
      Children children, Path root, Users users, String name, Map<String, String> settings) {
    LaurelServer laurel = new LaurelServer(children, root, name, settings, "");
    laurel.load(users);
    return laurel;
  }

  Api api() {
    return api;
  }

  long pid() {
    return process.pid();
  }

  /** Seconds from the launch to the right answer for a user, with the board as it is now. */
  double restart(String user) {
    long expected = api.rank(user);
    children.stop(process);
    long began = System.nanoTime();
    process = launch(() -> api.rank(user) == expected);
    return (System.nanoTime() - began) / 1e9;
  }

  private interface Answer {
    boolean isRight();
  }

  private Process launch(Answer answer) {
    List<String> command =
        List.of(
            root.resolve("laurel").toString(),
            "serve",
            "--port",
            "" + port,
            "--data",
            children.folder().resolve(name + "-data").toString());
    // Started where no laurel.yaml lies around.
    return children.start(name, command, children.folder(), settings, _ -> answer.isRight());
  }

  private void load(Users users) {
    AtomicInteger next = new AtomicInteger();
    Stream<Thread> loaders =
        IntStream.range(0, LOADERS)
            .mapToObj(_ -> Thread.ofVirtual().unstarted(() -> loadSome(users, next)));
    List<Thread> threads = loaders.toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
    if (next.get() < users.count()) {
      throw new IllegalStateException("Laurel's board could not be loaded");
    }
  }

  private void loadSome(Users users, AtomicInteger next) {
    for (int from = next.getAndAdd(BATCH); from < users.count(); from = next.getAndAdd(BATCH)) {
      int to = Math.min(users.count(), from + BATCH);
      StringBuilder json = new StringBuilder(48 * BATCH).append("{\"scores\":[");
      for (int user = from; user < to; user++) {
        json.append(user == from ? "{\"userId\":\"" : ",{\"userId\":\"").append(Users.id(user));
        json.append("\",\"score\":").append(users.scores()[user]).append('}');
      }
      api.post("/api/v1/leaderboards/bench/scores", json.append("]}").toString());
    }
  }
}
