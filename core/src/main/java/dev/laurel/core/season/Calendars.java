package dev.laurel.core.season;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The calendars of boards' windows, each kept until an edit changes it. Thread-safe.
 *
 * <p>A commit asks for every event whether each window has a season for it, so the last answer of a
 * window is kept: events come in the order of time, mostly.
 */
public final class Calendars {
  /** How many cycles of a cron are looked at: what is denser later does no harm for years. */
  private static final int LOOK_AHEAD = 100;

  private static final Pattern MACHINE_MADE =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private final CronParser crons;
  private final long shortest;
  private final int missed;
  private final ConcurrentHashMap<Long, Calendar[]> byBoard = new ConcurrentHashMap<>();

  /**
   * @param shortest a cron whose seasons are shorter than this is refused, in milliseconds: each
   *     season costs some commits, and a tenant may not keep the server busy with them
   * @param missed how many seasons of a window that nobody could play are made all the same after a
   *     downtime: the last ones
   */
  public Calendars(CronParser crons, long shortest, int missed) {
    this.crons = crons;
    this.shortest = shortest;
    this.missed = missed;
  }

  /**
   * @throws dev.laurel.core.model.RejectedException if a schedule of the board makes no sense
   */
  public void check(Board board) {
    for (Calendar calendar : make(board)) {
      if (calendar.window.schedule() instanceof Schedule.Cron cron) {
        requireLongEnough(board, calendar, cron);
      }
    }
  }

  private void requireLongEnough(Board board, Calendar calendar, Schedule.Cron cron) {
    long time = Math.max(board.start(), board.current().updatedAt());
    for (int i = 0; i < LOOK_AHEAD; i++) {
      Cycle cycle = calendar.next(time);
      if (cycle == null) {
        return;
      }
      if (cycle.end() - cycle.start() < shortest && cycle.end() != board.end()) {
        throw Rejection.invalid(
                "cronExpression",
                cron.expression(),
                "seasons of at least %s; the one from %s would last %s"
                    .formatted(
                        Duration.ofMillis(shortest),
                        Instant.ofEpochMilli(cycle.start()),
                        Duration.ofMillis(cycle.end() - cycle.start())))
            .asException();
      }
      time = cycle.start();
    }
  }

  /** A cycle of a window. */
  public record Turn(Window window, Cycle cycle) {}

  /** One window's calendar at one version of its board. */
  private static final class Calendar {
    final Window window;
    private final long start;
    private final long end;
    final SeasonCalendar cycles;

    /** Some stretch of time without a gap or a change: with its cycle, or without one. */
    private volatile Stretch last = new Stretch(0, 0, null);

    Calendar(Board board, Window window, SeasonCalendar cycles) {
      this.window = window;
      this.start = board.start();
      this.end = board.end();
      this.cycles = cycles;
    }

    /** By what it was made of: an edit that was rolled back had the next version's number too. */
    boolean isOf(Board board, Window asked) {
      return window.number() == asked.number()
          && window.schedule().equals(asked.schedule())
          && window.zone().equals(asked.zone())
          && window.until() == asked.until()
          && start == board.start()
          && end == board.end();
    }

    @Nullable Cycle at(long time) {
      Stretch known = last;
      if (time >= known.from && time < known.to) {
        return known.cycle;
      }
      Cycle cycle = within(cycles.at(time));
      if (cycle != null) {
        last = new Stretch(cycle.start(), cycle.end(), cycle);
      } else {
        Cycle next = cycles.next(time);
        last = new Stretch(time, next == null ? Long.MAX_VALUE : next.start(), null);
      }
      return cycle;
    }

    @Nullable Cycle next(long time) {
      return within(cycles.next(time));
    }

    private @Nullable Cycle within(@Nullable Cycle cycle) {
      return cycle == null || cycle.start() >= window.until() ? null : cycle;
    }
  }

  private record Stretch(long from, long to, @Nullable Cycle cycle) {}

  /** The cycle of the window that covers the time. */
  public @Nullable Cycle at(Board board, Window window, long time) {
    return calendar(board, window).at(time);
  }

  /** The first cycle of the window that begins strictly after the time. */
  public @Nullable Cycle next(Board board, Window window, long time) {
    return calendar(board, window).next(time);
  }

  /** The first cycle that is not over at the time; it begins with it if it began before. */
  public @Nullable Cycle following(Board board, Window window, long time) {
    Cycle covering = at(board, window, time);
    return covering == null
        ? next(board, window, time)
        : new Cycle(Math.max(covering.start(), time), covering.end());
  }

  /**
   * The cycle with which a window goes on after a time: the following one. If that is over, grace
   * included, nobody could play it; of such, only the last few are made after a long downtime.
   */
  public @Nullable Cycle resuming(Board board, Window window, long time, long now) {
    Cycle first = following(board, window, time);
    if (first == null || !isOver(first, window, now)) {
      return first;
    }
    if (window.schedule() instanceof Schedule.AllTime) {
      return null;
    }
    // Backwards from now in growing steps: there may be a million of them in between.
    for (long back = (missed + 1L) * (first.end() - first.start()); ; back *= 2) {
      long from = now - window.grace() - back;
      boolean whole = from <= first.end();
      Deque<Cycle> over = new ArrayDeque<>();
      Cycle cycle = whole ? first : next(board, window, from);
      while (cycle != null && isOver(cycle, window, now)) {
        over.addLast(cycle);
        if (over.size() > missed) {
          over.removeFirst();
        }
        cycle = next(board, window, cycle.start());
      }
      if (whole || over.size() == missed) {
        return over.isEmpty() ? cycle : over.getFirst();
      }
    }
  }

  private static boolean isOver(Cycle cycle, Window window, long now) {
    return cycle.end() != Board.NO_END && cycle.end() + window.grace() <= now;
  }

  /** Whether the season is one that a window of all time makes. */
  public boolean isAllTime(Board board, Window window, Season season) {
    String label = label(board, window, new Cycle(season.start(), season.end()));
    return season.label().equals(label)
        || (season.label().startsWith(label + "-")
            && season.label().substring(label.length() + 1).chars().allMatch(Character::isDigit));
  }

  public String label(Board board, Window window, Cycle cycle) {
    return calendar(board, window).cycles.label(readable(board), window.name(), cycle);
  }

  /** What somebody chose to call the board: its UUID if it is none, else its name. */
  private static String readable(Board board) {
    if (!MACHINE_MADE.matcher(board.uuid()).matches()) {
      return board.uuid();
    }
    String name =
        board
            .name()
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N}]+", "-")
            .replaceAll("^-|-$", "");
    return name.isEmpty() ? board.uuid() : name;
  }

  /**
   * The cycles that an event of this time belongs to and that have no season yet, though they
   * should: the scheduler has not come to it, as after a laptop's sleep.
   */
  public List<Turn> unopened(Board board, long time, long now) {
    List<Turn> missing = List.of();
    for (Window window : board.windows()) {
      Cycle cycle = isBehind(board, window, time) ? at(board, window, time) : null;
      if (cycle != null && (cycle.end() == Board.NO_END || cycle.end() + window.grace() > now)) {
        missing = missing.isEmpty() ? new ArrayList<>() : missing;
        missing.add(new Turn(window, cycle));
      }
    }
    return missing;
  }

  /** Whether the window's seasons end before the time. */
  private static boolean isBehind(Board board, Window window, long time) {
    for (Season season : board.seasons()) {
      if (season.window() == window.number() && time < season.end()) {
        return false;
      }
    }
    return true;
  }

  private Calendar calendar(Board board, Window window) {
    Calendar found = find(byBoard.get(board.id()), board, window);
    if (found == null) {
      Calendar[] all = make(board);
      found = find(all, board, window);
      if (board.id() != 0) {
        byBoard.put(board.id(), all);
      }
    }
    if (found == null) {
      throw new IllegalArgumentException("window: " + window.name() + " of another board");
    }
    return found;
  }

  private static @Nullable Calendar find(Calendar @Nullable [] all, Board board, Window window) {
    if (all != null) {
      for (Calendar calendar : all) {
        if (calendar.isOf(board, window)) {
          return calendar;
        }
      }
    }
    return null;
  }

  private Calendar[] make(Board board) {
    return board.windows().stream()
        .map(
            window ->
                new Calendar(
                    board,
                    window,
                    SeasonCalendar.of(
                        window.schedule(), window.zone(), board.start(), board.end(), crons)))
        .toArray(Calendar[]::new);
  }
}
