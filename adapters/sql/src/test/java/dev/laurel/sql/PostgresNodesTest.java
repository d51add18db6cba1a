package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.cluster.StoreFollower;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.BoardOracle;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two nodes with indexes of their own on one database. */
@ExtendWith(Seeds.class)
final class PostgresNodesTest {
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final ManualClock clock = new ManualClock();
  private final Node one = new Node();
  private final Node two = new Node();

  /** One process of several. */
  private final class Node implements AutoCloseable {
    final Store store = PostgresStore.open(url, null, null, clock);
    final Harness harness = new Harness(store, clock);
    final StoreFollower follower =
        new StoreFollower(
            store, harness.directory, List.of(), harness.index, harness.failures::add);

    @Override
    public void close() {
      follower.close();
      harness.close();
      store.close();
    }
  }

  private record Event(String user, long value, long at, String id) {
    Command command() {
      return Harness.score(user, value, at, id);
    }
  }

  @AfterEach
  void close() {
    two.close();
    one.close();
  }

  @Test
  void submit_toBothNodesAtOnce_givesWhatTheEventsSay(Random random) {
    for (Update update : Update.values()) {
      Board board = one.harness.board("both-" + update, update);
      until("the other node knows it", () -> two.harness.directory.find(board.id()) != null);
      List<Event> events = events(random, 2_000);
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < events.size(); ) {
        List<Command> some = new ArrayList<>();
        for (int n = 1 + random.nextInt(20); n > 0 && i < events.size(); n--) {
          some.add(events.get(i++).command());
        }
        int to = random.nextInt(4);
        if (to != 0) {
          replies.add(one.harness.pipeline.submit(new Request(board, some, 1, false, null)));
        }
        if (to <= 1) {
          replies.add(two.harness.pipeline.submit(new Request(board, some, 1, false, null)));
        }
      }
      for (CompletableFuture<Reply> reply : replies) {
        assertThat(reply.orTimeout(60, TimeUnit.SECONDS).join()).isInstanceOf(Reply.Done.class);
      }
      assertThat(scores(board)).isEqualTo(expected(update, events));
      assertBothNodesEqualTheLedger(board, events.size());
    }
    assertThat(one.harness.failures).isEmpty();
    assertThat(two.harness.failures).isEmpty();
  }

  /** Times are all different, so that what is expected does not depend on the order of arrival. */
  private List<Event> events(Random random, int count) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(
          new Event(
              "u" + random.nextInt(200),
              1 + random.nextInt(1_000),
              clock.millis() - 10_000 + i,
              "e" + i));
    }
    Collections.shuffle(events, random);
    return events;
  }

  /** Scores by user, worked out from the events alone. */
  private static Map<String, Long> expected(Update update, List<Event> events) {
    Map<String, Event> result = new HashMap<>();
    for (Event event : events) {
      result.merge(
          event.user,
          event,
          (known, given) ->
              switch (update) {
                case BEST -> given.value > known.value ? given : known;
                case LATEST -> given.at > known.at ? given : known;
                case SUM -> new Event(known.user, known.value + given.value, known.at, known.id);
              });
    }
    Map<String, Long> scores = new HashMap<>();
    result.forEach((user, event) -> scores.put(user, event.value));
    return scores;
  }

  private Map<String, Long> scores(Board board) {
    Map<String, Long> scores = new HashMap<>();
    for (BoardOracle.Row row : stored(one, board)) {
      scores.put(row.userId(), row.score());
    }
    return scores;
  }

  private static List<BoardOracle.Row> stored(Node node, Board board) {
    return node.store.read(
        tx ->
            BoardOracle.rows(
                StoredRanking.of(tx, board, board.primary(), node.harness.users),
                node.harness.users.follow(tx, board.tenant())));
  }

  private void assertBothNodesEqualTheLedger(Board board, int count) {
    List<LedgerLine> lines =
        one.store.read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i).line()).isEqualTo(i + 1);
    }
    assertThat(lines.stream().filter(line -> line.board() == board.id())).hasSize(count);
    for (Node node : List.of(one, two)) {
      List<BoardOracle.Row> rows =
          BoardOracle.rank(
              board, BoardOracle.fold(board, lines), node.harness.users.of(board.tenant()));
      assertThat(stored(node, board)).isEqualTo(rows);
      until(
          "an index that follows",
          () -> {
            var view = node.harness.rankings.inMemory(board, board.primary());
            return view != null && BoardOracle.rows(view.ranking(), view.users()).equals(rows);
          });
    }
  }

  @Test
  void submit_inTurns_isSeenByTheNextReadOfTheSameNodeAndSoonByTheOther() {
    Board board = one.harness.board("turns", Update.SUM);
    until("the other node knows it", () -> two.harness.directory.find(board.id()) != null);
    for (int i = 1; i <= 20; i++) {
      Node node = i % 2 == 0 ? one : two;
      Reply reply = node.harness.submit(board, Harness.score("u", 1));
      Outcome.Accepted accepted = (Outcome.Accepted) ((Reply.Done) reply).outcomes().getFirst();
      assertThat(accepted.score()).isEqualTo(i);
      assertThat(score(node, board)).isEqualTo(i);
    }
    for (Node node : List.of(one, two)) {
      until("the last score", () -> score(node, board) == 20);
      // What one node knows and the other has moved is brought up to date under the commit's lock.
      assertThat(node.harness.index.loads()).isLessThanOrEqualTo(1);
    }
  }

  private static long score(Node node, Board board) {
    return node.harness.rankings.ask(
        board,
        board.primary(),
        List.of("u"),
        view -> {
          Ranking.Row row = view.ranking().row(view.users().find("u"));
          return row == null ? 0L : row.score();
        });
  }

  @Test
  void turn_dueOnBothNodesAtOnce_isTakenOnce() throws Exception {
    Board board =
        one.harness.board(
            "jobs",
            Update.SUM,
            new WindowDefinition(
                "daily",
                new Schedule.Daily(),
                "UTC",
                null,
                Duration.ofMinutes(5),
                null,
                List.of()));
    for (int i = 0; i < 5_000; i += 500) {
      Command[] some = new Command[500];
      for (int k = 0; k < some.length; k++) {
        some[k] = Harness.score("u" + (i + k), i + k);
      }
      one.harness.submit(board, some);
    }
    long first = board.seasons().getFirst().id();
    clock.turn(Duration.ofDays(3));
    try (var executor = Executors.newFixedThreadPool(2)) {
      List<Future<?>> turns = new ArrayList<>();
      for (Node node : List.of(one, two)) {
        turns.add(
            executor.submit(
                () -> {
                  node.harness.seasons.turn();
                  node.harness.finals.writeAll(() -> false);
                }));
      }
      for (Future<?> turn : turns) {
        turn.get();
      }
    }
    List<Harness.Heard> heard = new ArrayList<>(one.harness.heard);
    heard.addAll(two.harness.heard);
    assertThat(heard).doesNotHaveDuplicates();
    assertThat(heard)
        .filteredOn(h -> h.event() == SeasonEvent.SEASON_COMPLETED)
        .hasSizeGreaterThanOrEqualTo(3);
    List<FinalRank> ranks = one.store.read(tx -> tx.finalRanks(first, 0, 10_000));
    assertThat(ranks).hasSize(5_000);
    for (int i = 0; i < ranks.size(); i++) {
      assertThat(ranks.get(i).rank()).isEqualTo(i + 1);
      assertThat(ranks.get(i).score()).isEqualTo(4_999 - i);
    }
  }

  private static void until(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
