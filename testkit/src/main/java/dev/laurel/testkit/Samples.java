package dev.laurel.testkit;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.util.List;

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
        UNSTORED,
        tenant,
        "6f1e0e0c-0000-4000-8000-00000000c0de",
        uuid,
        0,
        0,
        1,
        null,
        "Board " + uuid,
        Order.HIGHEST_FIRST,
        Ties.EARLIEST_FIRST,
        Update.BEST,
        6,
        new Bounds(0, Long.MAX_VALUE),
        Visibility.PRIVATE,
        BoardStatus.ACTIVE,
        Board.NO_START,
        Board.NO_END,
        "{}",
        "test",
        1_000,
        1_000,
        List.of(seasons));
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
        SeasonStatus.ACTIVE);
  }

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
        null);
  }

  /** The same board at this version, under another name. */
  public static Board renamed(Board b, int version, String name) {
    return copy(b, version, name, b.seasons());
  }

  /** The same board, naming these seasons only. */
  public static Board with(Board b, Season... seasons) {
    return copy(b, b.version(), b.name(), List.of(seasons));
  }

  private static Board copy(Board b, int version, String name, List<Season> seasons) {
    return new Board(
        b.id(),
        b.tenant(),
        b.leaderboardId(),
        b.uuid(),
        b.shard(),
        b.revision(),
        version,
        b.podId(),
        name,
        b.order(),
        b.ties(),
        b.update(),
        b.decimals(),
        b.bounds(),
        b.visibility(),
        b.status(),
        b.start(),
        b.end(),
        b.metadata(),
        b.createdBy(),
        b.createdAt(),
        b.updatedAt(),
        seasons);
  }
}
