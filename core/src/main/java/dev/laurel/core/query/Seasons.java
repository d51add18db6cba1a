package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Window;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds seasons, also those that a board does not list any more. What the board lists is found
 * without blocking; the rest is read from the store. Thread-safe.
 */
public final class Seasons {
  private final Store store;

  public Seasons(Store store) {
    this.store = store;
  }

  /** Which season of a window. */
  public sealed interface Which {
    /** The newest that has begun. */
    record Current() implements Which {}

    /** The one before it. */
    record Previous() implements Which {}

    /** The one that covers a time. */
    record At(long time) implements Which {}

    /** By its id. */
    record Id(int window, long start) implements Which {}
  }

  /** Null if only the store can tell. Never blocks. */
  public @Nullable Season listed(Board board, Window window, Which which) {
    return switch (which) {
      case Which.Current _ -> board.newest(window);
      case Which.Previous _ -> null;
      case Which.At(var time) -> covering(board, window.number(), time);
      case Which.Id(var number, var start) -> starting(board, number, start);
    };
  }

  /** Blocks if the board does not list it. */
  public Season require(Board board, Window window, Which which) {
    Season listed = listed(board, window, which);
    Season found = listed != null ? listed : stored(board, window, which);
    if (found == null) {
      throw Rejection.expectation(
              ErrorCode.SEASON_NOT_FOUND,
              "season",
              describe(which),
              "a season of window " + window.name() + " of board " + board.uuid())
          .asException();
    }
    return found;
  }

  private @Nullable Season stored(Board board, Window window, Which which) {
    return switch (which) {
      case Which.Current _ -> null;
      case Which.Previous _ -> {
        Season newest = board.newest(window);
        List<Season> before =
            newest == null
                ? List.of()
                : store.read(
                    tx -> tx.seasonsBefore(board.id(), window.number(), newest.start(), 1));
        yield before.isEmpty() ? null : before.getFirst();
      }
      case Which.At(var time) -> store.read(tx -> tx.seasonAt(board.id(), window.number(), time));
      case Which.Id(var number, var start) -> {
        yield store.read(tx -> startingAt(tx, board, number, start));
      }
    };
  }

  /** Also by a start that it had before it was moved: ids that were given away stay good. */
  private static @Nullable Season startingAt(
      ReadTransaction tx, Board board, int window, long start) {
    Season season = tx.seasonAt(board.id(), window, start);
    if (season != null && season.start() == start) {
      return season;
    }
    for (FormerBounds former : tx.formerBounds(board.id()).reversed()) {
      if (former.window() == window && former.start() == start) {
        return tx.season(former.season());
      }
    }
    return null;
  }

  /** The seasons of a window that start before a time, newest first; drafts of the future last. */
  public List<Season> before(Board board, Window window, long time, int limit) {
    return store.read(tx -> tx.seasonsBefore(board.id(), window.number(), time, limit));
  }

  private static @Nullable Season covering(Board board, int window, long time) {
    for (Season season : board.seasons()) {
      if (season.window() == window && season.covers(time)) {
        return season;
      }
    }
    return null;
  }

  private static @Nullable Season starting(Board board, int window, long start) {
    for (Season season : board.seasons()) {
      if (season.window() == window && season.start() == start) {
        return season;
      }
    }
    return null;
  }

  /** An id of {@link Board#idOf}, taken apart. */
  public record Parsed(String leaderboardId, Which.Id which) {}

  /** Null if it is not one of ours. */
  public static @Nullable Parsed parse(String id) {
    String[] parts = id.split("\\.", -1);
    if (parts.length != 3) {
      return null;
    }
    try {
      long start = parts[2].equals("0") ? Board.NO_START : Long.parseLong(parts[2], Board.ID_RADIX);
      return new Parsed(parts[0], new Which.Id(Integer.parseInt(parts[1]), start));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String describe(Which which) {
    return switch (which) {
      case Which.Current _ -> "current";
      case Which.Previous _ -> "previous";
      case Which.At(var time) -> "at " + Instant.ofEpochMilli(time);
      case Which.Id _ -> "id";
    };
  }

  /** Whether its ranks are written and cannot change by the clock any more. */
  public static boolean isFinal(Season season) {
    return season.status().compareTo(SeasonStatus.FINAL) >= 0;
  }
}
