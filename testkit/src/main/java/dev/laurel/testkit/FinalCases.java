package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Something happens to a season while its final ranks are written: they are of one state. */
interface FinalCases extends SeasonCases {
  /** More than one chunk, all equal, so that their ids decide. */
  int EQUALS = 2100;

  private static WindowDefinition prized(PrizeTier tier) {
    return new WindowDefinition(
        "all-time", new Schedule.AllTime(), "UTC", null, Duration.ZERO, null, List.of(tier));
  }

  /** It ends at 13:00 and is frozen. */
  private Board frozen(String uuid) {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board(uuid, Update.LATEST, prized(new PrizeTier("gold", 1, 1, 0, null)));
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T13:00:00Z")));
    List<Command> all = new ArrayList<>();
    for (int i = 0; i < EQUALS; i++) {
      all.add(score("a%04d".formatted(i), 5, clock().millis(), null));
    }
    assertThat(harness().submit(now(board), all.toArray(Command[]::new)))
        .isInstanceOf(Reply.Done.class);
    close("2026-11-15T14:00:00Z");
    assertThat(season(board).status()).isEqualTo(SeasonStatus.FROZEN);
    return board;
  }

  private void close(String time) {
    clock().set(Instant.parse(time));
    harness().seasons.turn();
  }

  private Season season(Board board) {
    return now(board).seasons().getFirst();
  }

  private long written(Board board) {
    return store().<Long>read(tx -> tx.finalCount(season(board).id()));
  }

  private List<FinalRank> finalRanks(Board board) {
    for (int i = 0; i < 3; i++) {
      harness().finals.writeAll(() -> false);
    }
    assertThat(season(board).status()).isEqualTo(SeasonStatus.FINAL);
    return store().read(tx -> tx.finalRanks(season(board).id(), 0, 2 * EQUALS));
  }

  @Test
  default void writeAll_whileAnEditReopensAndClosesTheSeason_writesOneClosingOnly() {
    Board board = frozen("reopened");
    boolean[] edited = {false};
    harness()
        .finals
        .writeAll(
            () -> {
              // Asked between two chunks.
              if (!edited[0] && written(board) > 0) {
                edited[0] = true;
                change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T15:00:00Z")));
                change(
                    board,
                    SeasonCases.windows(
                        List.of(prized(new PrizeTier("all", 1, 2 * EQUALS, 0, null)))));
                close("2026-11-15T16:00:00Z");
              }
              return false;
            });
    assertThat(edited[0]).isTrue();
    assertThat(finalRanks(board)).hasSize(EQUALS).allMatch(rank -> rank.prize() == 0);
  }

  @Test
  default void writeAll_afterAnErasureBetweenTwoRuns_hasEveryoneOnce() {
    Board board = frozen("interrupted");
    harness().finals.writeAll(() -> written(board) > 0);
    assertThat(written(board)).isBetween(1L, EQUALS - 1L);
    // From the first to the last of the equals.
    assertThat(harness().erasure.erase(Tenant.DEFAULT, "a0000", 1)).isTrue();
    assertThat(finalRanks(board).stream().map(FinalRank::user).distinct()).hasSize(EQUALS);
  }

  @Test
  default void erase_amongEqualsOfAFinalSeason_leavesEveryRankAsItIs() {
    Board board = frozen("over");
    finalRanks(board);
    List<Long> before = ranks(board);
    harness().index.catchUp(now(board), season(board));
    assertThat(harness().erasure.erase(Tenant.DEFAULT, "a0000", 1)).isTrue();
    assertThat(ranks(board)).isEqualTo(before);
  }

  /** Of users by their number, so that it does not matter what they are called. */
  private List<Long> ranks(Board board) {
    Rankings.Answer<List<Long>> answer =
        harness()
            .rankings
            .answer(
                now(board),
                season(board),
                List.of(),
                view -> {
                  List<Long> ranks = new ArrayList<>();
                  for (int user : new int[] {1, 2, EQUALS / 2, EQUALS}) {
                    ranks.add(Objects.requireNonNull(view.ranking().row(user)).rank());
                  }
                  return ranks;
                });
    return answer.value();
  }
}
