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
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an edit of a board makes of its seasons, in the transaction that stores the edit and holds
 * the board's shard. What was counted stays where it is, what has begun runs to the end it was
 * announced with, and an end that only the board has set moves with the board's: also if it is
 * past, as long as nothing has followed from it ({@link Season#settled}). Thread-safe.
 */
final class SeasonEdits {
  private final SeasonSteps steps;
  private final Calendars calendars;

  SeasonEdits(SeasonSteps steps) {
    this.steps = steps;
    this.calendars = steps.calendars();
  }

  /** Gives a board its next version, and its seasons what follows from it. */
  Edited apply(WriteTransaction tx, Board board, BoardVersion next, long now) {
    Board changed = board.with(next);
    calendars.check(changed);
    List<Season> kept = new ArrayList<>();
    List<SeasonChange> changes = new ArrayList<>();
    List<Season> reopened = new ArrayList<>();
    for (Season season : board.seasons()) {
      Season adapted = adapted(tx, board, changed, season, now);
      if (adapted == null) {
        // Nothing happened in it; if the new calendar has it too, it comes back.
        tx.deleteSeason(season.id());
        changes.add(new SeasonChange(SeasonChange.Kind.REMOVED, season));
      } else {
        keepBounds(tx, board, season, adapted, now);
        kept.add(adapted);
        if (season.isOver() && adapted.status().compareTo(season.status()) < 0) {
          reopened.add(adapted);
        }
      }
    }
    Board updated = tx.updateBoard(changed.with(kept));
    for (Season season : reopened) {
      steps.events().happened(tx, updated, season, SeasonEvent.SEASON_REOPENED);
    }
    Board after = steps.take(tx, updated, now);
    changes.addAll(SeasonChange.between(board.seasons(), after.seasons()));
    return new Edited(after, changes);
  }

  /** What the new version makes of a season; null if it takes it away. */
  private @Nullable Season adapted(
      WriteTransaction tx, Board before, Board after, Season season, long now) {
    Window old = before.window(season.window());
    Window window = after.window(season.window());
    if (window == null || after.status() == BoardStatus.COMPLETED) {
      return ended(tx, old, window, season, now);
    }
    boolean same = old != null && isSame(old, window);
    if (season.isOver()) {
      return same && !season.settled() ? continued(tx, before, after, window, season, now) : season;
    }
    boolean moved =
        old == null
            || !same
            || old.until() != window.until()
            || before.start() != after.start()
            || before.end() != after.end();
    if (!moved) {
      return season.under(window);
    }
    boolean first = season.id() == first(before, season.window()).id();
    if (isUntouched(tx, season) && !(same && isForAllTime(window) && first)) {
      return null;
    }
    Season running =
        same && isForAllTime(window)
            ? allTime(tx, before, after, season)
            : season.withEnd(
                Math.max(
                    season.start() + 1,
                    Math.min(
                        same
                            ? goingOn(tx, before, after, window, season)
                            : lastEnd(tx, before, after, window, season, now),
                        after.end())));
    boolean later = running.end() > season.end();
    // That its end is near was said of another end.
    return later && season.status() == SeasonStatus.CLOSING
        ? running.under(window).withStatus(SeasonStatus.ACTIVE)
        : running.under(window);
  }

  /** Its window is not there any more, or its board has come to its end. */
  private static @Nullable Season ended(
      WriteTransaction tx, @Nullable Window old, @Nullable Window window, Season season, long now) {
    if (season.isOver()) {
      return window == null ? season.settle() : season;
    }
    if (isUntouched(tx, season)) {
      return null;
    }
    Season ended = season.withEnd(Math.min(season.end(), Math.max(now, season.start() + 1)));
    if (window == null && old != null) {
      // Nobody will know them when the season ends.
      tx.putPrizes(season.id(), old.prizes());
      return ended.settle();
    }
    return ended;
  }

  private static boolean isUntouched(WriteTransaction tx, Season season) {
    return season.status() == SeasonStatus.SCHEDULED && tx.position(season.id()) == 0;
  }

  /** Whether the windows have the same cycles, but for where they begin and end. */
  private static boolean isSame(Window old, Window window) {
    return old.schedule().equals(window.schedule())
        && (old.zone().equals(window.zone()) || isForAllTime(window));
  }

  private static boolean isForAllTime(Window window) {
    return window.schedule() instanceof Schedule.AllTime;
  }

  private static Season first(Board board, int window) {
    return board.seasons().stream().filter(s -> s.window() == window).findFirst().orElseThrow();
  }

  /** The board's time, but for what other seasons of the window have of it. */
  private static Season allTime(WriteTransaction tx, Board before, Board after, Season season) {
    List<Season> earlier = tx.seasonsBefore(before.id(), season.window(), season.start(), 1);
    long start =
        earlier.isEmpty() ? after.start() : Math.max(after.start(), earlier.getFirst().end());
    long end = Math.min(after.end(), nextStart(tx, before, season));
    return season.within(start, Math.max(start + 1, end));
  }

  /** Where the next season of the window begins that stays, as it has a score already. */
  private static long nextStart(WriteTransaction tx, Board board, Season season) {
    for (Season next : board.seasons()) {
      if (next.window() == season.window()
          && next.start() > season.start()
          && !isUntouched(tx, next)) {
        return next.start();
      }
    }
    return Board.NO_END;
  }

  /** A season that is over goes on if its end is moved to later, and is not settled. */
  private Season continued(
      WriteTransaction tx, Board before, Board after, Window window, Season season, long now) {
    Season longer =
        isForAllTime(window)
            ? allTime(tx, before, after, season)
            : season.withEnd(Math.min(goingOn(tx, before, after, window, season), after.end()));
    if (longer.end() <= season.end()) {
      return season;
    }
    Season open = longer.under(window);
    if (open.closes() <= now) {
      // Too late for any event: its ranks are what they were.
      return longer;
    }
    if (!season.status().isWritable()) {
      tx.reopenSeason(season.id());
    }
    return open.withStatus(now < open.end() ? SeasonStatus.ACTIVE : SeasonStatus.COMPLETED);
  }

  /** An end that was the board's is that of the season's own cycle, now that the board's moves. */
  private long goingOn(
      WriteTransaction tx, Board before, Board after, Window window, Season season) {
    long time = Math.max(season.start(), after.start());
    if (season.end() != before.end() || time >= season.end()) {
      return season.end();
    }
    Cycle cycle = calendars.at(after, window, time);
    long end = cycle == null ? season.end() : Math.min(cycle.end(), nextStart(tx, before, season));
    return Math.max(season.end(), end);
  }

  /**
   * When a season ends whose window has got another schedule: at the end it has. A season of all
   * time has none of its own; so it ends when the first cycle of the new schedule begins.
   */
  private long lastEnd(
      WriteTransaction tx, Board before, Board after, Window window, Season season, long now) {
    if (isForAllTime(window)) {
      return season.end() == Board.NO_END || calendars.isAllTime(after, window, season)
          ? Math.min(after.end(), nextStart(tx, before, season))
          : season.end();
    }
    Window old = before.window(season.window());
    if (season.end() != Board.NO_END && (old == null || !isForAllTime(old))) {
      return season.end();
    }
    Cycle first = calendars.next(after, window, Math.max(now, season.start()));
    return first == null ? season.end() : Math.min(season.end(), first.start());
  }

  /** Where a season is moved, what it has counted must still be known to be its own. */
  private static void keepBounds(
      WriteTransaction tx, Board board, Season before, Season after, long now) {
    boolean sameEvents = after.start() == before.start() && before.end() <= after.end();
    boolean sameDeletions =
        before.closes() == after.closes()
            || (before.isOpen(now) && before.closes() < after.closes());
    if (!(sameEvents && sameDeletions) && tx.position(before.id()) > 0) {
      long last = tx.lastLines()[board.shard()];
      tx.keepBounds(board.id(), FormerBounds.of(before, last));
    }
  }
}
