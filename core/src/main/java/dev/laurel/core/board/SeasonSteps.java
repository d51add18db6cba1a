package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Window;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.season.Cycle;
import dev.laurel.core.season.SeasonPlan;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Takes the steps of {@link SeasonPlan} in a transaction that holds the board's shard: the one
 * place where the clock changes seasons. (What edits do to them is in {@link SeasonEdits}.)
 * Thread-safe.
 */
public final class SeasonSteps {
  private static final Comparator<Season> BY_WINDOW =
      Comparator.comparingInt(Season::window).thenComparingLong(Season::start);

  /** Bounds one transaction after a long sleep; what is left is due at once. */
  private static final int MAX_STEPS = 500;

  private final Calendars calendars;
  private final SeasonEvents events;

  public SeasonSteps(Calendars calendars, SeasonEvents events) {
    this.calendars = calendars;
    this.events = events;
  }

  Calendars calendars() {
    return calendars;
  }

  SeasonEvents events() {
    return events;
  }

  /** What is due at {@code now}, in order, and not too much at once; returns the board after it. */
  public Board take(WriteTransaction tx, Board board, long now) {
    Board after = board;
    for (int i = 0; i < MAX_STEPS; i++) {
      SeasonPlan.Step step = SeasonPlan.next(after, calendars, now);
      if (step == null || step.due() > now) {
        break;
      }
      after =
          switch (step) {
            case SeasonPlan.Step.Open(_, var window, var cycle) ->
                with(after, tx.createSeason(scheduled(tx, after, window, cycle)));
            case SeasonPlan.Step.Move(_, var season, var to) -> move(tx, after, season, to);
          };
    }
    return after;
  }

  private Season scheduled(WriteTransaction tx, Board board, Window window, Cycle cycle) {
    return new Season(
        0,
        board.id(),
        window.number(),
        label(tx, board, window, cycle),
        cycle.start(),
        cycle.end(),
        window.grace(),
        window.capacity(),
        SeasonStatus.SCHEDULED,
        false);
  }

  /** A cycle that was cut in two, or a window that came back, would repeat a label. */
  private String label(WriteTransaction tx, Board board, Window window, Cycle cycle) {
    String label = calendars.label(board, window, cycle);
    String unique = label;
    for (int n = 2; tx.isLabelUsed(board.id(), unique); n++) {
      unique = label + "-" + n;
    }
    return unique;
  }

  private Board move(WriteTransaction tx, Board board, Season season, SeasonStatus to) {
    Season moved = season.withStatus(to);
    tx.updateSeason(moved);
    switch (to) {
      case ACTIVE -> {
        events.happened(tx, board, moved, SeasonEvent.SEASON_STARTED);
        return with(settled(tx, board, moved), moved);
      }
      case CLOSING -> events.happened(tx, board, moved, SeasonEvent.SEASON_CLOSING_SOON);
      case COMPLETED -> {
        events.happened(tx, board, moved, SeasonEvent.SEASON_COMPLETED);
        Window window = board.window(season.window());
        // Of a window that was taken away, the edit that did it has kept them.
        if (window != null) {
          tx.putPrizes(season.id(), window.prizes());
        }
      }
      case FROZEN -> {}
      case SCHEDULED, FINAL, ARCHIVING, ARCHIVED, PURGING, PURGED, RESTORING ->
          throw new IllegalStateException("season: " + to + " (expected: a step of the clock)");
    }
    return with(board, moved);
  }

  /** What comes before a season that has begun cannot go on any more. */
  private static Board settled(WriteTransaction tx, Board board, Season begun) {
    Board after = board;
    for (Season season : board.seasons()) {
      if (season.window() == begun.window()
          && season.start() < begun.start()
          && !season.settled()) {
        tx.updateSeason(season.settle());
        after = with(after, season.settle());
      }
    }
    return after;
  }

  private static Board with(Board board, Season changed) {
    List<Season> seasons = new ArrayList<>(board.seasons());
    seasons.removeIf(s -> s.id() == changed.id());
    seasons.add(changed);
    seasons.sort(BY_WINDOW);
    return board.with(seasons);
  }
}
