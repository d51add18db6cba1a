package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.access.Keys;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.NodesContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Two nodes with indexes of their own on one database. */
final class PostgresNodesTest extends NodesContract {
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  @Override
  protected Store open() {
    return PostgresStore.open(url, null, null, clock);
  }

  @Override
  protected Harness.IndexSource indexes() {
    return LocalRankIndex::new;
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

  @Test
  void ensureAdmin_bothNodesFoundNone_onlyTheKeyThatIsStoredIsShown() {
    Keys here = new Keys(one.store, clock);
    Keys there = new Keys(two.store, clock);
    String shown = here.ensureAdmin(null);
    assertThat(there.ensureAdmin(null)).isNull();
    assertThat(there.authenticate(String.valueOf(shown))).isNotNull();
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
}
