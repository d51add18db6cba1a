package dev.laurel.testkit;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;

/** Ordinary values, for tests that are about something else. */
public final class Samples {
  /** The numbers of a board that was not stored yet. */
  private static final long UNSTORED = 0;

  private Samples() {}

  /** An active board of the default tenant with one season without end; not stored. */
  public static Board board(String uuid) {
    return board(Tenant.DEFAULT, uuid, season(0, "all-time"));
  }

  public static Board board(long tenant, String uuid, Season... seasons) {
    return new Board(
        0,
        UNSTORED,
        tenant,
        "6f1e0e0c-0000-4000-8000-00000000c0de",
        uuid,
        0,
        0,
        "test",
        1_000,
        version("Board " + uuid, Math.max(1, seasons.length)),
        List.of(seasons));
  }

  /** An ordinary first version with windows for all time. */
  public static BoardVersion version(String name, int windows) {
    return new BoardVersion(
        1,
        BoardStatus.ACTIVE,
        name,
        null,
        new Rules(
            Order.HIGHEST_FIRST,
            Ties.EARLIEST_FIRST,
            Update.BEST,
            6,
            new Bounds(0, Long.MAX_VALUE)),
        Visibility.PRIVATE,
        Board.NO_START,
        Board.NO_END,
        "{}",
        IntStream.range(0, windows).mapToObj(Samples::window).toList(),
        null,
        null,
        1_000);
  }

  private static Window window(int number) {
    return new Window(
        number,
        "window-" + number,
        new Schedule.AllTime(),
        ZoneId.of("UTC"),
        Board.NO_END,
        Board.DEFAULT_GRACE,
        0,
        List.of());
  }

  /** Active and without end; not stored. */
  public static Season season(int window, String label) {
    return new Season(
        UNSTORED,
        UNSTORED,
        window,
        label,
        Board.NO_START,
        Board.NO_END,
        Board.DEFAULT_GRACE,
        0,
        SeasonStatus.ACTIVE,
        false);
  }

  /** What the ledgers of tests are chained with. */
  public static final LedgerKey KEY = LedgerKey.of("a key that only tests may use, of course");

  /** The board, stored. */
  public static Board create(Store store, Board board) {
    return store.write(tx -> tx.createBoard(board));
  }

  public static Entry entry(long score, long reached) {
    return new Entry(score, reached, reached, 1, 1, false, null);
  }

  /** A score that counted in window 0. */
  public static LedgerLine line(int shard, long line, long board, int user) {
    return new LedgerLine(
        shard,
        line,
        board,
        user,
        LedgerLine.Kind.SCORE,
        Update.BEST,
        10 * line,
        1_000 + line,
        1,
        1,
        0,
        42,
        0,
        null,
        null,
        null,
        null);
  }

  /** The same board at this version, under another name. */
  public static Board renamed(Board b, int version, String name) {
    BoardVersion v = b.current();
    return b.with(
        new BoardVersion(
            version,
            v.status(),
            name,
            v.podId(),
            v.rules(),
            v.visibility(),
            v.start(),
            v.end(),
            v.metadata(),
            v.windows(),
            v.scoring(),
            v.feed(),
            v.updatedAt()));
  }

  /** The same board, naming these seasons only. */
  public static Board with(Board b, Season... seasons) {
    return b.with(List.of(seasons));
  }
}
