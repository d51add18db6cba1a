package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.UserDictionary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the cases of the pipeline contract work on, and short words for what they do often. */
interface PipelineCases {
  /** How many users of a board are looked at one by one. */
  int ONE_BY_ONE = 100;

  FaultyStore store();

  /** The core on that store; wired anew after {@link #restart}. */
  Harness harness();

  ManualClock clock();

  /** Closes everything, and opens what it left behind. */
  void restart();

  /** The board as this core knows it: after a restart another epoch may have begun. */
  default Board current(Board board) {
    return harness().boards.require(board.tenant(), board.uuid());
  }

  /** Another core on the same store, with the same kind of index. */
  Harness node(int queueLines);

  /** Takes the place of the harness, which is closed. */
  void replace(Harness next);

  /** Index, store and ledger say the same. */
  default void assertEqualsOracle(Board board) {
    UserDictionary users = harness().users.of(board.tenant());
    List<LedgerLine> lines =
        store().read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i).line()).isEqualTo(i + 1);
    }
    Map<Integer, Entry> folded = BoardOracle.fold(board, lines);
    folded.forEach(
        (user, entry) -> {
          List<@Nullable Entry> stored =
              store().read(tx -> tx.entries(board.primary().id(), new int[] {user}));
          assertThat(stored).hasSize(1);
          assertThat(known(stored.getFirst())).isEqualTo(known(entry));
        });
    List<BoardOracle.Row> expected = BoardOracle.rank(board, folded, users);
    RankingCheck check = new RankingCheck(expected, board.primary().capacity(), users);
    harness().index.catchUp(board, board.primary());
    // One by one only some of many: each takes queries, an index elsewhere is asked anew with each
    // fact that it lacked, and a read of the store has a minute. Rows and ranks are all compared.
    int step = Math.max(1, expected.size() / ONE_BY_ONE);
    assertThat(check(check, board, expected, step)).isEqualTo(Rankings.Source.INDEX);
  }

  /** Of one that has no line that counts, it does not matter which line said so. */
  private static @Nullable Entry known(@Nullable Entry entry) {
    return entry != null && entry.seen() == Long.MIN_VALUE ? Entry.none(entry.last()) : entry;
  }

  /**
   * What a read gets now, and what the store says by itself.
   *
   * @return where the read came from
   */
  default Rankings.Source check(
      RankingCheck check, Board board, List<BoardOracle.Row> all, int step) {
    List<String> ids = all.stream().map(BoardOracle.Row::userId).toList();
    Rankings.Answer<Boolean> live =
        harness()
            .rankings
            .answer(
                board,
                board.primary(),
                ids,
                view -> {
                  check.check(view.ranking(), step);
                  return true;
                });
    store()
        .read(
            tx -> {
              check.check(StoredRanking.of(tx, board, board.primary(), harness().users), step);
              return true;
            });
    return live.source();
  }

  default long scoreOf(Board board, String user) {
    return harness()
        .rankings
        .ask(
            board,
            board.primary(),
            List.of(user),
            view -> {
              var row = view.ranking().row(view.users().find(user));
              if (row == null) {
                throw new AssertionError(user + " has no entry");
              }
              return row.score();
            });
  }

  static Outcome.Accepted accepted(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    Outcome outcome = ((Reply.Done) reply).outcomes().getFirst();
    assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
    return (Outcome.Accepted) outcome;
  }

  static ErrorCode rejection(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Done.class);
    return ((Outcome.Rejected) ((Reply.Done) reply).outcomes().getFirst()).rejection().code();
  }

  static ErrorCode refusal(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return ((Reply.Refused) reply).rejection().code();
  }

  static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(2, TimeUnit.MINUTES)) {
        throw new AssertionError("waited 30 s");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static long rankOf(Harness node, Board board, String user) {
    return node.rankings.ask(
        board,
        board.primary(),
        List.of(user),
        view -> {
          var row = view.ranking().row(view.users().find(user));
          return row == null ? 0 : row.rank();
        });
  }
}
