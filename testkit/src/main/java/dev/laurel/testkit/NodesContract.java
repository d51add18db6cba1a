package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.cluster.StoreFollower;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What two nodes on one store owe to their callers, wherever their ranks are. */
@ExtendWith(Seeds.class)
@SuppressWarnings("NullAway.Init") // made before each case
public abstract class NodesContract {
  protected final ManualClock clock = new ManualClock();
  protected Node one;
  protected Node two;

  /** Opens the same store each time. */
  protected abstract Store open();

  protected abstract Harness.IndexSource indexes();

  /** One process of several. */
  protected final class Node implements AutoCloseable {
    public final Store store = open();
    public final Harness harness = new Harness(store, clock, 1 << 16, indexes());
    private final StoreFollower follower =
        new StoreFollower(
            harness.remembered,
            harness.directory,
            List.of(),
            harness.index,
            _ -> {},
            harness.failures::add);

    @Override
    public void close() {
      follower.close();
      harness.close();
      store.close();
    }
  }

  @BeforeEach
  void openNodes() {
    one = new Node();
    two = new Node();
  }

  @AfterEach
  void closeNodes() {
    two.close();
    one.close();
  }

  private record Event(String user, long value, long at, String id) {
    Command command() {
      return Harness.score(user, value, at, id);
    }
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
        assertThat(reply.orTimeout(2, TimeUnit.MINUTES).join()).isInstanceOf(Reply.Done.class);
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
              board,
              BoardOracle.fold(board, lines),
              // The node may not have met somebody who was only sent to the other.
              node.harness.users.followNow(board.tenant()));
      assertThat(stored(node, board)).isEqualTo(rows);
      until(
          "an index that follows",
          () -> {
            Rankings.Answer<List<BoardOracle.Row>> answer =
                node.harness.rankings.answer(
                    board,
                    board.primary(),
                    List.of(),
                    view -> BoardOracle.rows(view.ranking(), view.users()));
            return answer.source() == Rankings.Source.INDEX && answer.value().equals(rows);
          });
    }
  }

  protected static void until(String what, BooleanSupplier reached) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
