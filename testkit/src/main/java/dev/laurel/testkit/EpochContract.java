package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node goes on in another history of its store, and nothing that it remembers of the one before
 * gets into it. To test it with an index: extend this, and say which.
 *
 * <p>Both histories have ann and the board "kept". Only the first has bob, whose number is carol's
 * in the second, and the board "lost", whose number is "fresh"'s there.
 */
@SuppressWarnings("NullAway.Init") // made before each case
public abstract class EpochContract {
  /** Of the samples' six decimals. */
  private static final long UNIT = 1_000_000;

  @TempDir protected Path folder = Path.of("");

  protected final ManualClock clock = new ManualClock();
  private TwoHistories store;

  /** The node that remembers the first history. */
  private Harness node;

  /** One that never knew it. */
  private Harness other;

  private Board kept;

  protected abstract Store open(Path folder, InstantSource clock);

  protected Harness.IndexSource indexes() {
    return LocalRankIndex::new;
  }

  @BeforeEach
  void diverge() {
    Store first = open(folder.resolve("first"), clock);
    Store second = open(folder.resolve("second"), clock);
    Board same = Samples.board("kept");
    for (Store each : List.of(first, second)) {
      Samples.create(each, same);
      each.assignUsers(1, KnownUsers.NOBODY, List.of("ann"));
    }
    store = new TwoHistories(first, second);
    node = new Harness(store, clock, 1 << 16, indexes());
    kept = node.boards.require(Tenant.DEFAULT, "kept");
    assertDone(node.submit(kept, plus("ann", 10)));
    node.board("lost", Update.SUM);
    assertDone(node.submit(kept, plus("bob", 500)));
    assertThat(node.users.of(1).find("bob")).isEqualTo(2);

    other = new Harness(second, clock, 1 << 16, indexes());
    other.board("fresh", Update.SUM);
    assertDone(other.submit(board(other, "kept"), plus("ann", 10)));
    assertDone(other.submit(board(other, "kept"), plus("carol", 7)));
    assertThat(other.users.of(1).find("carol")).isEqualTo(2);
  }

  @AfterEach
  void close() {
    node.close();
    other.close();
    store.close();
  }

  private static Board board(Harness harness, String uuid) {
    harness.boards.follow();
    return harness.boards.require(Tenant.DEFAULT, uuid);
  }

  /** Added, whatever the board's rule. */
  private static Command plus(String user, long value) {
    return new Command.Score(user, Long.toString(value), Update.SUM, null, null, null);
  }

  private static void assertDone(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    assertThat(((Reply.Done) reply).outcomes()).allMatch(Outcome.Accepted.class::isInstance);
  }

  private static ErrorCode refusal(Reply reply) {
    return ((Reply.Refused) reply).rejection().code();
  }

  /** Who has how much, as the store says. */
  private Map<String, Long> stored(String uuid) {
    Board board = board(other, uuid);
    return other.store.read(
        tx -> {
          UserDictionary users = other.users.follow(tx, 1);
          Map<String, Long> scores = new TreeMap<>();
          for (BoardOracle.Row row :
              BoardOracle.rows(StoredRanking.of(tx, board, board.primary(), other.users), users)) {
            scores.put(row.userId(), row.score() / UNIT);
          }
          return scores;
        });
  }

  /** The same by a node's own answers, wherever they come from, and from its index. */
  private static Map<String, Long> told(Harness harness, String uuid) {
    Board board = board(harness, uuid);
    harness.index.catchUp(board, board.primary());
    return harness.rankings.ask(
        board,
        board.primary(),
        List.of(),
        view -> {
          Map<String, Long> scores = new TreeMap<>();
          for (BoardOracle.Row row : BoardOracle.rows(view.ranking(), view.users())) {
            scores.put(row.userId(), row.score() / UNIT);
          }
          return scores;
        });
  }

  private void assertEveryoneHas(Map<String, Long> expected) {
    assertThat(stored("kept")).isEqualTo(expected);
    assertThat(told(node, "kept")).isEqualTo(expected);
    assertThat(told(other, "kept")).isEqualTo(expected);
    List<String> ids = new ArrayList<>();
    store
        .second()
        .read(
            tx -> {
              tx.users(1, 0, (number, id) -> ids.add(id));
              return true;
            });
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void submit_afterAPromotion_nobodysPointsAreAnothers() {
    store.promote();
    assertDone(node.submit(kept, plus("bob", 1000)));
    assertDone(node.submit(kept, plus("dave", 3)));
    assertDone(node.submit(kept, plus("carol", 1)));
    assertEveryoneHas(Map.of("ann", 10L, "bob", 1000L, "carol", 8L, "dave", 3L));
    assertDone(other.submit(board(other, "kept"), plus("bob", 1)));
    assertThat(told(node, "kept")).isEqualTo(stored("kept"));
  }

  @Test
  void submit_promotedBetweenNumberingAndCommit_isNumberedAgain() {
    store.afterNextAssigning(store::promote);
    assertDone(node.submit(kept, plus("erin", 40), plus("bob", 1)));
    assertEveryoneHas(Map.of("ann", 10L, "bob", 1L, "carol", 7L, "erin", 40L));
  }

  @Test
  void submit_promotedBeforeTheTransaction_isLookedUpAgain() {
    store.beforeNextWrite(store::promote);
    assertDone(node.submit(kept, plus("bob", 1)));
    assertEveryoneHas(Map.of("ann", 10L, "bob", 1L, "carol", 7L));
  }

  @Test
  void submit_newUserWhomTheOtherHistoryHas_isTheSameUser() {
    assertDone(other.submit(board(other, "kept"), plus("dave", 5)));
    store.promote();
    // Nobody in the first history is called so; the second has numbered him already.
    assertDone(node.submit(kept, plus("dave", 1)));
    assertEveryoneHas(Map.of("ann", 10L, "carol", 7L, "dave", 6L));
  }

  @Test
  void submit_backAndForth_staysApart() {
    store.promote();
    assertDone(node.submit(kept, plus("bob", 1)));
    store.goBack();
    assertDone(node.submit(kept, plus("bob", 1)));
    assertThat(told(node, "kept")).isEqualTo(Map.of("ann", 10L, "bob", 501L));
    store.promote();
    assertDone(node.submit(kept, plus("bob", 1)));
    assertEveryoneHas(Map.of("ann", 10L, "bob", 2L, "carol", 7L));
  }

  @Test
  void submit_batchOfSeveralBoards_eachGetsWhatANewRequestWouldGet() throws Exception {
    Board lost = board(node, "lost");
    Board paused = pausedElsewhere();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    store.beforeNextWrite(
        () -> {
          held.countDown();
          join(go);
          store.promote();
        });
    CompletableFuture<Reply> one = node.pipeline.submit(request(kept, plus("bob", 1)));
    assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
    // They wait together, and are the next batch.
    List<CompletableFuture<Reply>> waiting = new ArrayList<>();
    waiting.add(node.pipeline.submit(request(lost, plus("ann", 42))));
    waiting.add(node.pipeline.submit(request(kept, plus("bob", 2))));
    waiting.add(node.pipeline.submit(request(paused, plus("ann", 42))));
    waiting.add(node.pipeline.submit(request(kept, plus("dave", 3))));
    go.countDown();
    assertDone(one.get(1, TimeUnit.MINUTES));
    assertThat(refusal(waiting.get(0).get(1, TimeUnit.MINUTES)))
        .isEqualTo(ErrorCode.BOARD_NOT_FOUND);
    assertDone(waiting.get(1).get(1, TimeUnit.MINUTES));
    assertThat(refusal(waiting.get(2).get(1, TimeUnit.MINUTES)))
        .isEqualTo(ErrorCode.BOARD_NOT_ACTIVE);
    assertDone(waiting.get(3).get(1, TimeUnit.MINUTES));
    assertEveryoneHas(Map.of("ann", 10L, "bob", 3L, "carol", 7L, "dave", 3L));
    assertThat(stored("fresh")).as("its number was the lost board's").isEmpty();
  }

  /** A board of both histories that the other node has paused in the second one. */
  private Board pausedElsewhere() {
    Board both =
        new Board(
            0,
            0,
            1,
            "6f1e0e0c-0000-4000-8000-00000000beef",
            "both",
            0,
            0,
            "test",
            1_000,
            Samples.version("both", 1),
            List.of(Samples.season(0, "all-time")));
    for (Store each : List.of(store, store.second())) {
      Samples.create(each, both);
    }
    Board there = board(other, "both");
    other.boards.change(there, BoardChange.status(BoardStatus.PAUSED), null, b -> new byte[0]);
    return board(node, "both");
  }

  private static Request request(Board board, Command... commands) {
    return new Request(board, List.of(commands), 1, true, null);
  }

  private static void join(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void read_afterAPromotion_isOfTheOtherHistory() {
    assertThat(told(node, "kept")).isEqualTo(Map.of("ann", 10L, "bob", 500L));
    store.promote();
    // The first to look hears that it is another history, and from then on everything is.
    assertThatThrownBy(node.boards::follow).isInstanceOf(NewEpochException.class);
    assertThat(node.boards.find(Tenant.DEFAULT, "lost")).isNull();
    assertThat(node.boards.find(Tenant.DEFAULT, "fresh")).isNotNull();
    assertThat(node.users.find(1, "bob")).isZero();
    assertThat(node.users.of(1).id(2)).isEqualTo("carol");
    assertThat(told(node, "kept")).isEqualTo(Map.of("ann", 10L, "carol", 7L));
    // Who still holds a board of the first history gets nothing under its numbers.
    assertThat(node.rankings.inMemory(kept, kept.primary())).isNull();
    assertThatThrownBy(() -> node.rankings.ask(kept, kept.primary(), List.of(), v -> 1))
        .isInstanceOf(NewEpochException.class);
  }

  @Test
  void profiles_afterAPromotion_areThoseOfTheOtherHistory() {
    node.profiles.put(1, "bob", "Bobby", 0, 1);
    assertThat(node.profiles.find(1, 2)).isNotNull();
    store.promote();
    assertDone(node.submit(kept, plus("bob", 1)));
    assertThat(node.profiles.find(1, 2)).as("carol's number now").isNull();
    node.profiles.put(1, "bob", "Robert", 0, 1);
    assertThat(node.profiles.find(1, node.users.find(1, "bob"))).isNotNull();
    assertThat(node.profiles.find(1, 2)).isNull();
  }

  @Test
  void severalSteps_promotedInBetween_areNotTakenInTwoHistories() {
    RememberedStore.Era era = node.remembered.era();
    int bob = node.users.of(1).find("bob");
    store.promote();
    assertDone(node.submit(kept, plus("dave", 3)));
    assertThatThrownBy(
            () ->
                node.remembered.during(
                    era, () -> assertThat(node.users.find(1, "nobody")).isEqualTo(bob)))
        .isInstanceOf(NewEpochException.class);
    String now = node.remembered.read(tx -> tx.userId(1, bob));
    assertThat(now).isEqualTo("carol");
  }

  @Test
  void submit_whatNamesLinesOrOffsetsOfTheFirstHistory_isRefused() {
    SourcePartition partition = new SourcePartition(kept.id(), Digest.of("topic"), 0);
    Request.Source source = new Request.Source(partition, new long[] {7});
    store.promote();
    Reply taken = node.await(new Request(kept, List.of(plus("bob", 1)), 1, true, null, source));
    assertThat(refusal(taken)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    Command.Correct revert =
        new Command.Correct("ann", Command.Correction.REVERT, List.of(1L), null);
    assertThat(refusal(node.submit(kept, revert))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(store.second().<Map<?, ?>>read(tx -> tx.offsets(List.of(partition)))).isEmpty();
    assertEveryoneHas(Map.of("ann", 10L, "carol", 7L));
    // The same with the board as it is now is a new request.
    assertDone(node.submit(board(node, "kept"), revert));
    assertEveryoneHas(Map.of("carol", 7L));
  }

  @Test
  void assign_promotedBefore_numbersNobodyByTheFirstHistory() {
    store.promote();
    assertThatThrownBy(() -> node.users.assign(1, List.of("carol", "zoe")))
        .isInstanceOf(NewEpochException.class);
    node.users.assign(1, List.of("carol", "zoe"));
    assertThat(node.users.of(1).find("carol")).isEqualTo(2);
    assertThat(node.users.of(1).find("zoe")).isEqualTo(3);
  }

  @Test
  void score_isSaidOnce_alsoWhereTheRequestHasAKey() {
    Request.Idempotency key =
        new Request.Idempotency("caller", "key", Digest.of("payload"), outcomes -> new byte[] {1});
    store.beforeNextWrite(store::promote);
    assertDone(node.submit(kept, key, plus("bob", 1)));
    assertThat(node.submit(kept, key, plus("bob", 1))).isInstanceOf(Reply.Replayed.class);
    assertThat(node.submit(kept, score("ann", 11))).isInstanceOf(Reply.Done.class);
    assertEveryoneHas(Map.of("ann", 11L, "bob", 1L, "carol", 7L));
  }
}
