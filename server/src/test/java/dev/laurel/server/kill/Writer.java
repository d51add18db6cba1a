package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client with users of its own, which sends one write after the other and knows what must have
 * come of them. A write that was not answered is kept, and sent again, the same, after the restart.
 * Belongs to one thread at a time.
 */
final class Writer {
  /** The time of a commit is the store's, which is not this process' to the millisecond. */
  private static final long CLOCKS_APART_MILLIS = 1000;

  private static final List<TestBoard> BOARDS = List.of(TestBoard.values());
  private static final int USERS = 40;

  /** No sum in this test is large enough to bear it. */
  private static final long REFUSED = -1_000_000;

  private static final long HOUR = 3_600_000;

  private final int number;
  private final Random random;
  private final boolean alwaysNamed;
  private final Expected expected = new Expected();
  private final List<Done> named = new ArrayList<>();
  private final long past = System.currentTimeMillis() - HOUR;
  private int ids;
  private @Nullable Unanswered unanswered;

  /** A write that names itself, and its first answer. */
  private record Done(Write write, Api.Answer answer) {}

  private record Unanswered(Write write, long sent) {}

  Writer(int number, long seed) {
    this(number, seed, false);
  }

  /**
   * @param alwaysNamed whether every write has a key. A write without one must not be given up and
   *     sent to another node: the first one may still do it, later.
   */
  Writer(int number, long seed, boolean alwaysNamed) {
    this.number = number;
    this.random = new Random(seed);
    this.alwaysNamed = alwaysNamed;
  }

  Expected expected() {
    return expected;
  }

  int namedWrites() {
    return named.size();
  }

  /** Writes until the server does not answer any more. */
  void run(Api api, AtomicInteger acknowledged) {
    while (step(api) == Step.TAKEN) {
      acknowledged.incrementAndGet();
    }
  }

  /** What came of a write. */
  enum Step {
    TAKEN,
    /** 503: to be sent again. */
    REFUSED,
    UNANSWERED
  }

  /** Sends the next write, or again the one that was not taken. */
  Step step(Api api) {
    Unanswered before = unanswered;
    Unanswered sending =
        before == null ? new Unanswered(next(), System.currentTimeMillis()) : before;
    unanswered = sending;
    Api.Answer answer;
    try {
      answer = api.send(sending.write());
    } catch (IOException e) {
      return Step.UNANSWERED;
    }
    if (answer.status() == 503) {
      return Step.REFUSED;
    }
    unanswered = null;
    acknowledged(sending.write(), sending.sent(), answer, before != null);
    return Step.TAKEN;
  }

  /** Whether every write was taken. */
  boolean isSettled() {
    return unanswered == null;
  }

  /** The write that was under way when the server died must have happened as a whole or not. */
  void checkUnanswered(Map<TestBoard, Map<String, Expected.Row>> found) {
    Unanswered lost = unanswered;
    if (lost == null) {
      return;
    }
    Write write = lost.write();
    Map<String, Expected.@Nullable Held> after = new HashMap<>();
    for (Write.Line line : write.lines()) {
      Expected.Held before =
          after.containsKey(line.user())
              ? after.get(line.user())
              : expected.board(write.board()).get(line.user());
      after.put(
          line.user(), Expected.after(write.board(), write.kind(), before, line, lost.sent()));
    }
    Map<String, Expected.Row> rows = Objects.requireNonNull(found.get(write.board()));
    boolean did =
        after.entrySet().stream().allMatch(e -> matches(e.getValue(), rows.get(e.getKey())));
    boolean didNot =
        after.keySet().stream()
            .allMatch(u -> matches(expected.board(write.board()).get(u), rows.get(u)));
    assertThat(did || didNot)
        .as("client %d: %s happened as a whole or not at all; found %s", number, write, rows)
        .isTrue();
  }

  /** The users whose state the test cannot know before the retry. */
  boolean isOpen(TestBoard board, String user) {
    Unanswered lost = unanswered;
    return lost != null
        && lost.write().board() == board
        && lost.write().lines().stream().anyMatch(line -> line.user().equals(user));
  }

  private static boolean matches(Expected.@Nullable Held held, Expected.@Nullable Row row) {
    Long score = held == null ? null : held.score();
    if (held == null || score == null || row == null) {
      return row == null && score == null;
    }
    return row.score() == score
        && (held.reached() == Expected.SERVERS || held.reached() == row.reached());
  }

  /** Sends again what was not answered, with the same ids. */
  void retry(Api api) throws IOException {
    Unanswered lost = unanswered;
    if (lost != null) {
      Api.Answer answer = api.send(lost.write());
      unanswered = null;
      acknowledged(lost.write(), lost.sent(), answer, true);
    }
  }

  /** A batch of which every line was refused has used up no key: its answer is made anew. */
  private static boolean tookEffect(Done done) {
    if (done.write().kind() != Write.Kind.BATCH) {
      return true;
    }
    for (JsonNode result : done.answer().json().get("results")) {
      if (!result.get("outcome").asString().equals("REJECTED")) {
        return true;
      }
    }
    return false;
  }

  /** Sends some of what was answered once more: nothing may come of it. */
  void replay(Api api, int count) throws IOException {
    for (int i = 0; i < count && !named.isEmpty(); i++) {
      Done done = named.get(random.nextInt(named.size()));
      Api.Answer again = api.send(done.write());
      if (done.write().key() != null) {
        assertThat(again)
            .as("client %d replays %s", number, done.write())
            .isEqualTo(new Api.Answer(200, done.answer().body(), tookEffect(done)));
        continue;
      }
      assertThat(again.status()).as("client %d: %s: %s", number, done, again).isEqualTo(200);
      if (done.write().kind() == Write.Kind.BATCH) {
        JsonNode first = done.answer().json().get("results");
        JsonNode results = again.json().get("results");
        assertThat(results.size()).isEqualTo(first.size());
        for (int line = 0; line < first.size(); line++) {
          assertRepeated(first.get(line), results.get(line), "timestamp");
        }
      } else {
        assertRepeated(done.answer().json(), again.json(), "updatedAt");
      }
    }
  }

  private static void assertRepeated(JsonNode first, JsonNode again, String time) {
    String outcome = first.get("outcome").asString();
    if (outcome.equals("REJECTED")) {
      assertThat(again).isEqualTo(first);
      return;
    }
    assertThat(again.get("outcome").asString()).isEqualTo("DUPLICATE");
    assertThat(again.get("score")).isEqualTo(first.get("score"));
    assertThat(again.get(time)).isEqualTo(first.get(time));
  }

  private void acknowledged(Write write, long sent, Api.Answer answer, boolean retried) {
    String what = "client " + number + (retried ? " retried " : " sent ") + write + ": " + answer;
    TestBoard board = write.board();
    if (write.kind() == Write.Kind.DELETE) {
      boolean there = expected.has(board, write.lines().getFirst().user());
      boolean mayBeGone = !there || (retried && write.key() == null);
      assertThat(answer.status() == 200 || (mayBeGone && answer.status() == 404)).as(what).isTrue();
      hold(write, write.lines().getFirst(), sent, null, null, what);
    } else {
      assertThat(answer.status()).as(what).isEqualTo(200);
      JsonNode json = answer.json();
      for (int i = 0; i < write.lines().size(); i++) {
        boolean batch = write.kind() == Write.Kind.BATCH;
        JsonNode line = batch ? json.get("results").get(i) : json;
        hold(write, write.lines().get(i), sent, line, batch ? "timestamp" : "updatedAt", what);
      }
    }
    if (write.isNamed() && answer.status() == 200) {
      named.add(new Done(write, answer));
    }
  }

  private void hold(
      Write write,
      Write.Line line,
      long sent,
      @Nullable JsonNode answer,
      @Nullable String time,
      String what) {
    Map<String, Expected.Held> users = expected.board(write.board());
    Expected.Held held =
        Expected.after(write.board(), write.kind(), users.get(line.user()), line, sent);
    if (answer != null && line.value() < 0) {
      assertThat(answer.get("outcome").asString()).as(what).isEqualTo("REJECTED");
    } else if (answer != null && time != null && held != null && held.score() != null) {
      assertThat(answer.get("outcome").asString()).as(what).isNotEqualTo("REJECTED");
      assertThat(answer.get("score").asLong()).as(what).isEqualTo(held.score());
      long reached = Api.millis(answer.get(time));
      if (held.reached() == Expected.SERVERS) {
        assertThat(reached)
            .as(what)
            .isBetween(
                sent - CLOCKS_APART_MILLIS, System.currentTimeMillis() + CLOCKS_APART_MILLIS);
        held = new Expected.Held(held.score(), reached, held.seen());
      }
      assertThat(reached).as(what).isEqualTo(held.reached());
    }
    if (held != null) {
      users.put(line.user(), held);
    }
  }

  private Write next() {
    TestBoard board = BOARDS.get(random.nextInt(BOARDS.size()));
    int kind = random.nextInt(100);
    if (kind < 10) {
      // Not of users whose times the test gives: older times lose to a deletion for ever.
      Write.Line line = new Write.Line(user(random.nextInt(USERS / 2)), 0, null, null);
      // To delete nobody uses up no key, so it could be done later, when there is somebody.
      if (!alwaysNamed || expected.has(board, line.user())) {
        return new Write(board, Write.Kind.DELETE, List.of(line), maybeKey());
      }
    }
    if (kind < 60) {
      String key = maybeKey();
      boolean mustBeNamed = board == TestBoard.SUM && key == null;
      Write.Line line = line(mustBeNamed || random.nextInt(4) == 0);
      return new Write(board, Write.Kind.PUT, List.of(line), key);
    }
    String key = alwaysNamed || random.nextInt(4) == 0 ? newId("b") : null;
    List<Write.Line> lines = new ArrayList<>();
    for (int n = 1 + random.nextInt(30); n > 0; n--) {
      Write.Line line = line(key == null);
      boolean bad = random.nextInt(50) == 0;
      lines.add(bad ? new Write.Line(line.user(), REFUSED, line.at(), line.eventId()) : line);
    }
    return new Write(board, Write.Kind.BATCH, lines, key);
  }

  /** The lower half of the users has the server's times, the upper half given ones. */
  private Write.Line line(boolean named) {
    int user = random.nextInt(USERS);
    Long at = user < USERS / 2 ? null : past + random.nextInt(2_000_000);
    return new Write.Line(user(user), random.nextInt(60), at, named ? newId("e") : null);
  }

  private String user(int user) {
    return "c" + number + "-u" + user;
  }

  private @Nullable String maybeKey() {
    return alwaysNamed || random.nextBoolean() ? newId("k") : null;
  }

  private String newId(String prefix) {
    return prefix + "-" + number + "-" + ids++;
  }
}
