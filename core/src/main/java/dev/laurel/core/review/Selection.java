package dev.laurel.core.review;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Which lines of a board are meant. */
public sealed interface Selection {
  /** Bounds what one call undoes. */
  int MAX_LINES = 10_000;

  /** Lines that are read at once. */
  int CHUNK = 1000;

  /** One line, by its number in the board's shard. */
  record Line(long line) implements Selection {}

  /** One award, by the id in its line. */
  record Award(String awardId) implements Selection {}

  /**
   * The last submissions of a user that still count, or wait to, in a season that can be corrected.
   * If there is none, those in seasons that cannot be: whoever asks hears of that.
   */
  record Last(String userId, int user, int count) implements Selection {}

  /**
   * All submissions of a source whose own time is in a span.
   *
   * @param callers the numbers of who sent them; null for any
   * @param eventIdPrefix null for any, also without an id
   * @param to excluded
   */
  record Source(@Nullable Set<Long> callers, @Nullable String eventIdPrefix, long from, long to)
      implements Selection {
    private boolean isAbout(LedgerLine line) {
      String id = line.eventId();
      return line.kind().isSubmission()
          && line.at() >= from
          && line.at() < to
          && (callers == null || callers.contains(line.caller()))
          && (eventIdPrefix == null || (id != null && id.startsWith(eventIdPrefix)));
    }
  }

  /** The lines, in order. More than {@link #MAX_LINES} are refused. Blocks. */
  default List<LedgerLine> find(Store store, Board board) {
    return switch (this) {
      case Line(var line) -> store.read(tx -> one(tx, board, line));
      case Award(var awardId) -> {
        // As AwardRoutes writes it; ids have no character that JSON would escape.
        String written = "\"award_id\":\"" + awardId + "\"";
        List<LedgerLine> found =
            scan(
                store,
                board,
                line ->
                    line.kind().isSubmission()
                        && Callers.isAwards(line.caller())
                        && line.metadata() != null
                        && line.metadata().contains(written));
        yield found.isEmpty() ? none("awardId", awardId, board) : found;
      }
      case Last(_, var user, var count) -> {
        List<LedgerLine> linked =
            store.read(tx -> last(tx, linked(tx, board, user), Selection::isCorrectable, count));
        if (linked.size() == count) {
          yield linked;
        }
        // Lines of days long ago are not linked with those of today.
        long[] all = numbers(store, board, user);
        List<LedgerLine> found = last(store, board, all, Selection::isCorrectable, count);
        yield found.isEmpty() ? last(store, board, all, Selection::isArchived, count) : found;
      }
      case Source source -> {
        List<LedgerLine> found = new ArrayList<>();
        each(
            store,
            board,
            line -> {
              if (source.isAbout(line)) {
                found.add(withoutTexts(line));
                requireFew(found);
              }
            });
        yield found;
      }
    };
  }

  private static List<LedgerLine> one(ReadTransaction tx, Board board, long line) {
    if (line > 0 && line < tx.firstLine(board.shard())) {
      throw Rejection.expectation(ErrorCode.LEDGER_PRUNED, "line", line, "one that was not pruned")
          .asException();
    }
    List<LedgerLine> found = line > 0 ? tx.lines(board.shard(), line - 1, line, 1) : List.of();
    return found.isEmpty() || found.getFirst().board() != board.id()
        ? none("line", Long.toString(line), board)
        : found;
  }

  /** At once, and not when all of them are in memory. */
  private static void requireFew(List<LedgerLine> found) {
    if (found.size() > MAX_LINES) {
      throw Rejection.expectation(
              ErrorCode.TOO_MANY_LINES,
              "lines",
              "more than " + MAX_LINES,
              "a shorter time, a longer prefix or another key")
          .asException();
    }
  }

  private static List<LedgerLine> none(String name, String value, Board board) {
    throw Rejection.expectation(
            ErrorCode.LINE_NOT_FOUND, name, value, "a line of board " + board.uuid())
        .asException();
  }

  /** However many there are: what they say is not kept. */
  private static LedgerLine withoutTexts(LedgerLine line) {
    return line.erased(null);
  }

  private static StoredLines linked(ReadTransaction tx, Board board, int user) {
    List<Long> lasts = new ArrayList<>();
    for (Season season : board.seasons()) {
      Entry entry = tx.entries(season.id(), new int[] {user}).getFirst();
      if (entry != null) {
        lasts.add(entry.last());
      }
    }
    return StoredLines.back(tx, board.shard(), lasts);
  }

  /** Of all lines of the user. */
  private static long[] numbers(Store store, Board board, int user) {
    LongStream.Builder numbers = LongStream.builder();
    each(
        store,
        board,
        line -> {
          if (line.user() == user) {
            numbers.add(line.line());
          }
        });
    return numbers.build().toArray();
  }

  /** Which of a line's windows can be corrected, and which still count or wait. */
  interface Wanted {
    boolean is(long correctable, long open);
  }

  private static boolean isCorrectable(long correctable, long open) {
    return (correctable & open) != 0;
  }

  private static boolean isArchived(long correctable, long open) {
    return correctable == 0 && open != 0;
  }

  private static List<LedgerLine> last(
      Store store, Board board, long[] numbers, Wanted wanted, int count) {
    return store.read(
        Store.Reading.LONG,
        tx -> last(tx, new StoredLines(tx, board.shard(), numbers), wanted, count));
  }

  private static List<LedgerLine> last(
      ReadTransaction tx, StoredLines lines, Wanted wanted, int count) {
    Refold state = new Refold(lines);
    LineSeasons seasons = new LineSeasons(tx);
    List<LedgerLine> found = new ArrayList<>();
    for (LedgerLine line : lines.reversed()) {
      long open = state.counting(line) | state.waiting(line);
      if (open != 0 && wanted.is(correctable(seasons, line), open)) {
        found.add(withoutTexts(line));
        if (found.size() == count) {
          break;
        }
      }
    }
    return found.reversed();
  }

  private static long correctable(LineSeasons seasons, LedgerLine line) {
    long windows = 0;
    for (Season season : seasons.of(line)) {
      if (season.status().isCorrectable()) {
        windows |= 1L << season.window();
      }
    }
    return windows;
  }

  /** The whole ledger of the board's shard: nothing else knows who sent what. */
  private static List<LedgerLine> scan(Store store, Board board, Predicate<LedgerLine> wanted) {
    List<LedgerLine> found = new ArrayList<>();
    each(
        store,
        board,
        line -> {
          if (wanted.test(line)) {
            found.add(line);
          }
        });
    return found;
  }

  /**
   * Every line of the board that was not pruned, up to the one that is the last now, in order. Each
   * chunk is a read of its own: lines never change their place, and nobody has to keep for so long
   * what was true at the beginning.
   */
  static void each(Store store, Board board, Consumer<LedgerLine> consumer) {
    int shard = board.shard();
    long last = store.read(tx -> tx.lastLines()[shard]);
    long after = 0;
    List<LedgerLine> chunk;
    do {
      long from = after;
      chunk = store.read(Store.Reading.LONG, tx -> tx.lines(shard, from, last, CHUNK));
      for (LedgerLine line : chunk) {
        if (line.board() == board.id()) {
          consumer.accept(line);
        }
        after = line.line();
      }
    } while (chunk.size() == CHUNK);
  }
}
