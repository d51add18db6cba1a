package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.CorrectionPreview;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.rank.RankIndex;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Edits that move the bounds of seasons: what a season has counted stays its own. */
interface BoundsCases extends SeasonCases, CorrectionCases {
  private long submit(Board board, String user, long value, String at) {
    return PipelineCases.accepted(
            harness().submit(now(board), score(user, value, SeasonCases.at(at), null)))
        .line();
  }

  /** What a revert would leave of the score, and what it leaves; both must be the same. */
  private long reverted(Board board, String user, long line) {
    Command.Correct revert =
        new Command.Correct(user, Command.Correction.REVERT, List.of(line), null);
    CorrectionPreview preview =
        store()
            .read(
                tx ->
                    CorrectionPreview.of(
                        tx,
                        now(board),
                        List.of(revert),
                        harness().users.of(board.tenant()),
                        clock().millis()));
    Outcome.Accepted done = PipelineCases.accepted(harness().submit(now(board), revert));
    RankIndex.Change foreseen = preview.seasons().getFirst().changes().getFirst();
    assertThat(foreseen.present()).isEqualTo(done.onBoard());
    assertThat(foreseen.score()).isEqualTo(done.score());
    return done.onBoard() ? done.score() : -1;
  }

  @Test
  default void change_startMovedPastWhatWasCounted_revertsFoldItAllTheSame() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("start", Update.SUM);
    submit(board, "a", 10, "2026-11-15T11:00:00Z");
    long second = submit(board, "a", 5, "2026-11-15T12:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:30:00Z"), null));
    assertThat(reverted(board, "a", second)).isEqualTo(10);
  }

  @Test
  default void change_endMovedBeforeWhatWasCounted_revertsFoldItAllTheSame() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("end", Update.SUM);
    long first = submit(board, "a", 10, "2026-11-15T11:00:00Z");
    long second = submit(board, "a", 5, "2026-11-15T12:00:00Z");
    submit(board, "a", 2, "2026-11-15T12:01:00Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T11:59:00Z")));
    assertThat(reverted(board, "a", first)).isEqualTo(7);
    assertThat(reverted(board, "a", second)).isEqualTo(2);
  }

  /** Every move is known: lines in between are those of the bounds in between. */
  @Test
  default void change_boundsMovedAgainAndAgain_revertsFoldWhatWasCountedUnderEach() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("often", Update.SUM);
    submit(board, "a", 1, "2026-11-15T10:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:00:00Z"), null));
    submit(board, "a", 2, "2026-11-15T11:00:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:30:00Z"), null));
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:40:00Z"), null));
    submit(board, "a", 4, "2026-11-15T11:45:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-15T11:50:00Z"), null));
    long last = submit(board, "a", 8, "2026-11-15T12:00:00Z");
    assertThat(reverted(board, "a", last)).isEqualTo(7);
  }

  @Test
  default void change_endMovedBeforeADeletion_whatWasDeletedStaysSo() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board = harness().board("deleted", Update.SUM);
    submit(board, "a", 10, "2026-11-15T11:00:00Z");
    PipelineCases.accepted(harness().submit(board, new Command.Delete("a")));
    long again = submit(board, "a", 5, "2026-11-15T12:00:01Z");
    submit(board, "a", 3, "2026-11-15T12:00:01Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T11:30:00Z")));
    assertThat(reverted(board, "a", again)).isEqualTo(3);
  }

  /** A clock that was fast by minutes counted for today; today was then cut short. */
  @Test
  default void change_dayCutShort_eventsBeyondTheCutStayInTheDay() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("day", Update.SUM, SeasonCases.window("daily", new Schedule.Daily()));
    long ahead = submit(board, "a", 5, "2026-11-15T12:04:00Z");
    submit(board, "a", 2, "2026-11-15T12:03:00Z");
    long first = submit(board, "a", 1, "2026-11-15T12:00:00Z");
    change(board, SeasonCases.times(null, SeasonCases.at("2026-11-15T12:01:00Z")));
    assertThat(reverted(board, "a", first)).isEqualTo(7);
    assertThat(reverted(board, "a", ahead)).isEqualTo(2);
    Season day = now(board).seasons().getFirst();
    assertThat(scoreOf(board, day, "a")).isEqualTo(2);
  }

  /** What happens elsewhere while a season waits for its new start is linked with its lines. */
  @Test
  default void change_startMovedToTheFuture_linesOfOtherWindowsKeepTheLink() {
    clock().set(Instant.parse("2026-11-15T22:00:00Z"));
    Board board =
        harness().board("links", Update.SUM, ALL, SeasonCases.window("d", new Schedule.Daily()));
    submit(board, "a", 1, "2026-11-15T21:00:00Z");
    submit(board, "a", 2, "2026-11-15T22:00:00Z");
    turnAt("2026-11-15T23:01:00Z");
    change(board, SeasonCases.times(SeasonCases.at("2026-11-16T01:00:00Z"), null));
    // Yesterday still takes late events; the window of all time has not begun.
    submit(board, "a", 4, "2026-11-15T22:30:00Z");
    turnAt("2026-11-16T02:00:00Z");
    long last = submit(board, "a", 8, "2026-11-16T01:30:00Z");
    assertThat(reverted(board, "a", last)).isEqualTo(3);
  }
}
