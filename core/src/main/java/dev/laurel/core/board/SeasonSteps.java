package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.Schedule;
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
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of {@link SeasonPlan} in a transaction that holds the board's shard: the one
 * place where the clock changes seasons. Thread-safe.
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

  /** Refuses a board whose calendars cannot be made. */
  void check(Board board) {
    calendars.check(board);
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
                with(after, tx.createSeason(scheduled(after, window, cycle)));
            case SeasonPlan.Step.Move(_, var season, var to) -> move(tx, after, season, to);
          };
    }
    return after;
  }

  /** Gives a board its next version, and its seasons what follows from it. */
  Board change(WriteTransaction tx, Board board, BoardVersion next, long now) {
    Board changed = board.with(next);
    check(changed);
    List<Season> seasons = new ArrayList<>();
    for (Season season : board.seasons()) {
      Season kept = adapted(tx, board, changed, season, now);
      if (kept != null) {
        keepBounds(tx, board, season, kept, now);
        seasons.add(kept);
      }
    }
    return take(tx, tx.updateBoard(changed.with(seasons)), now);
  }

  /** Where a season is moved, what it has counted must still be known to be its own. */
  private static void keepBounds(
      WriteTransaction tx, Board board, Season before, Season after, long now) {
    boolean sameEvents = after.start() <= before.start() && before.end() <= after.end();
    boolean sameDeletions =
        before.closes() == after.closes()
            || (before.isOpen(now) && before.closes() < after.closes());
    if (!(sameEvents && sameDeletions) && tx.position(before.id()) > 0) {
      long last = tx.lastLines()[board.shard()];
      tx.keepBounds(board.id(), FormerBounds.of(before, last));
    }
  }

  /** What the new version makes of a season; null if it takes it away. */
  private static @Nullable Season adapted(
      WriteTransaction tx, Board before, Board after, Season season, long now) {
    if (season.status().compareTo(SeasonStatus.COMPLETED) >= 0) {
      return season;
    }
    boolean untouched = season.status() == SeasonStatus.SCHEDULED && tx.position(season.id()) == 0;
    Window window = after.window(season.window());
    if (window == null || after.status() == BoardStatus.COMPLETED) {
      return untouched
          ? deleted(tx, season)
          : season.withEnd(Math.min(season.end(), Math.max(now, season.start() + 1)));
    }
    if (!isMoved(before, after, window)) {
      return season.under(window);
    }
    if (window.schedule() instanceof Schedule.AllTime) {
      return new Season(
          season.id(),
          season.board(),
          season.window(),
          season.label(),
          after.start(),
          after.end(),
          window.grace(),
          window.capacity(),
          season.status());
    }
    // What has begun runs to the end it was announced with, or to the board's if that comes first.
    return untouched
        ? deleted(tx, season)
        : season
            .under(window)
            .withEnd(Math.max(season.start() + 1, Math.min(season.end(), after.end())));
  }

  /** Whether the window's cycles are others than before. */
  private static boolean isMoved(Board before, Board after, Window window) {
    Window old = before.window(window.number());
    return old == null
        || !old.schedule().equals(window.schedule())
        || !old.zone().equals(window.zone())
        || old.until() != window.until()
        || before.start() != after.start()
        || before.end() != after.end();
  }

  /** Nothing happened in it; if the new calendar has it too, it comes back. */
  private static @Nullable Season deleted(WriteTransaction tx, Season season) {
    tx.deleteSeason(season.id());
    return null;
  }

  private Season scheduled(Board board, Window window, Cycle cycle) {
    return new Season(
        0,
        board.id(),
        window.number(),
        calendars.label(board, window, cycle),
        cycle.start(),
        cycle.end(),
        window.grace(),
        window.capacity(),
        SeasonStatus.SCHEDULED);
  }

  private Board move(WriteTransaction tx, Board board, Season season, SeasonStatus to) {
    Season moved = season.withStatus(to);
    tx.updateSeason(moved);
    switch (to) {
      case ACTIVE -> events.happened(tx, board, moved, SeasonEvent.SEASON_STARTED);
      case CLOSING -> events.happened(tx, board, moved, SeasonEvent.SEASON_CLOSING_SOON);
      case COMPLETED -> events.happened(tx, board, moved, SeasonEvent.SEASON_COMPLETED);
      case FROZEN -> {
        Window window = board.window(season.window());
        tx.putPrizes(season.id(), window == null ? List.of() : window.prizes());
      }
      case SCHEDULED, FINAL, ARCHIVING, ARCHIVED, PURGING, PURGED, RESTORING ->
          throw new IllegalStateException("season: " + to + " (expected: a step of the clock)");
    }
    return with(board, moved);
  }

  private static Board with(Board board, Season changed) {
    List<Season> seasons = new ArrayList<>(board.seasons());
    seasons.removeIf(s -> s.id() == changed.id());
    seasons.add(changed);
    seasons.sort(BY_WINDOW);
    return board.with(seasons);
  }
}
