package dev.laurel.core.season;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Window;
import org.jspecify.annotations.Nullable;

/**
 * What the clock makes of a board's seasons. Pure: the same board has the same next step, whoever
 * asks, so it does not matter which node takes it or how late. One step at a time, earliest first:
 * after any downtime everything happens in the order in which it should have.
 */
public final class SeasonPlan {
  /** A season is made this long before it starts. */
  public static final long LEAD = 600_000;

  /** The end is announced at most this long before it, and never in the first nine tenths. */
  private static final long CLOSING = 3_600_000;

  private SeasonPlan() {}

  /** One thing to do. */
  public sealed interface Step {
    /** When it should be done; {@link Long#MIN_VALUE} for at once. */
    long due();

    /** Make the season of a cycle. */
    record Open(long due, Window window, Cycle cycle) implements Step {}

    /** Move a season on. */
    record Move(long due, Season season, SeasonStatus to) implements Step {}
  }

  /**
   * The step that comes first; null if there is none, as things are.
   *
   * @param now only tells where a window begins that has no season yet, or had none for long
   */
  public static @Nullable Step next(Board board, Calendars calendars, long now) {
    Step first = null;
    boolean draft = board.status() == BoardStatus.DRAFT;
    for (Season season : board.seasons()) {
      first = draft ? null : earlier(first, move(season));
    }
    if (board.status() != BoardStatus.COMPLETED) {
      for (Window window : board.windows()) {
        if (!draft || isForAllTime(window)) {
          first = earlier(first, open(board, window, calendars, now));
        }
      }
    }
    return first;
  }

  /** At one moment the old season ends before the new one starts. */
  private static @Nullable Step earlier(@Nullable Step first, @Nullable Step other) {
    if (first == null || other == null) {
      return first == null ? other : first;
    }
    if (first.due() != other.due()) {
      return first.due() < other.due() ? first : other;
    }
    return first instanceof Step.Move a
            && (!(other instanceof Step.Move b) || a.to().compareTo(b.to()) >= 0)
        ? first
        : other;
  }

  private static @Nullable Step open(Board board, Window window, Calendars calendars, long now) {
    Season last = null;
    for (Season season : board.seasons()) {
      if (season.window() == window.number()) {
        Cycle gap =
            season.status() == SeasonStatus.SCHEDULED
                ? after(last, board, window, calendars, now)
                : null;
        if (gap != null && gap.start() < season.start()) {
          // An edit took away what was made ahead, but for one that had a score already.
          Cycle filling = new Cycle(gap.start(), Math.min(gap.end(), season.start()));
          return new Step.Open(due(window, filling), window, filling);
        }
        last = season;
      }
    }
    Cycle cycle = after(last, board, window, calendars, now);
    return cycle == null ? null : new Step.Open(due(window, cycle), window, cycle);
  }

  /** What comes after a season, or is the first of its window. */
  private static @Nullable Cycle after(
      @Nullable Season last, Board board, Window window, Calendars calendars, long now) {
    if (last != null) {
      return last.end() == Board.NO_END ? null : calendars.resuming(board, window, last.end(), now);
    }
    return isForAllTime(window)
        ? new Cycle(board.start(), board.end())
        : running(board, window, calendars, Math.max(now, board.start()));
  }

  /** The one that covers the time, from its beginning; else the next. */
  private static @Nullable Cycle running(
      Board board, Window window, Calendars calendars, long time) {
    Cycle cycle = calendars.at(board, window, time);
    return cycle != null ? cycle : calendars.next(board, window, time);
  }

  /** A window of all time is there from the beginning: it is what a board answers with. */
  private static long due(Window window, Cycle cycle) {
    return isForAllTime(window) ? Long.MIN_VALUE : cycle.start() - LEAD;
  }

  private static boolean isForAllTime(Window window) {
    return window.schedule() instanceof Schedule.AllTime;
  }

  private static @Nullable Step move(Season season) {
    long end = season.end();
    boolean ends = end != Board.NO_END;
    return switch (season.status()) {
      case SCHEDULED -> new Step.Move(season.start(), season, SeasonStatus.ACTIVE);
      case ACTIVE ->
          ends ? new Step.Move(end - closing(season), season, SeasonStatus.CLOSING) : null;
      case CLOSING -> ends ? new Step.Move(end, season, SeasonStatus.COMPLETED) : null;
      case COMPLETED -> new Step.Move(season.closes(), season, SeasonStatus.FROZEN);
      case FROZEN, FINAL, ARCHIVING, ARCHIVED, PURGING, PURGED, RESTORING -> null;
    };
  }

  private static long closing(Season season) {
    return season.start() == Board.NO_START
        ? CLOSING
        : Math.min(CLOSING, (season.end() - season.start()) / 10);
  }
}
