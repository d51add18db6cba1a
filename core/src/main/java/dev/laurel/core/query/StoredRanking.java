package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.CappedRanking;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.SeasonLoad;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.ReadTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ranks from the store, in the same order and with the same numbers as the index, only slower.
 * Lives as long as its transaction; belongs to one thread.
 */
public final class StoredRanking implements Ranking {
  /**
   * Each rank asked of the store may read the whole season; more than this, and it is read once.
   */
  private static final int MANY = 8;

  /** A page reads all rows before it, and SQLite sorts them. */
  static final long DEEPEST = 100_000;

  private final ReadTransaction tx;
  private final RankReads stored;
  private final Board board;
  private final long season;
  private final Order order;
  private final UserDictionary users;
  private final IndexMemory memory;

  /** All entries have to be counted for it; -1 as long as nobody has asked. */
  private long size = -1;

  private StoredRanking(ReadTransaction tx, Board board, Season season, Users users) {
    this.tx = tx;
    this.stored = tx.ranks();
    this.board = board;
    this.season = season.id();
    this.order = board.order();
    this.users = users.in(tx, board.tenant());
    this.memory = users.memory();
  }

  /** The season's places, all of them or as many as its capacity. */
  public static Ranking of(ReadTransaction tx, Board board, Season season, Users users) {
    StoredRanking all = new StoredRanking(tx, board, season, users);
    return CappedRanking.of(all, board, season, all.users);
  }

  @Override
  public long line() {
    return tx.position(season);
  }

  @Override
  public long size() {
    if (size < 0) {
      size = stored.count(season);
    }
    return size;
  }

  @Override
  public @Nullable Row row(int user) {
    Entry entry = entry(user);
    return entry == null
        ? null
        : new Row(
            rank(entry.score(), () -> before(entry, user)),
            user,
            entry.score(),
            entry.reached(),
            entry.metadata() != null);
  }

  @Override
  public void ranks(int[] numbers, int count, long[] rank, long[] score, long[] reached) {
    if (count <= MANY) {
      Ranking.super.ranks(numbers, count, rank, score, reached);
      return;
    }
    try (IndexMemory.Beside _ = memory.beside(size(), Duration.ZERO)) {
      SeasonLoad.all(tx, board, season, users).ranks(numbers, count, rank, score, reached);
    }
  }

  @Override
  public long position(int user) {
    Entry entry = entry(user);
    return entry == null ? -1 : before(entry, user);
  }

  private @Nullable Entry entry(int user) {
    if (user == 0) {
      return null;
    }
    Entry entry = tx.entries(season, new int[] {user}).getFirst();
    return entry == null || entry.deleted() ? null : entry;
  }

  private long before(Entry entry, int user) {
    return stored.countBefore(
        season, order, new RankReads.Place(entry.score(), entry.reached(), users.id(user)));
  }

  private long rank(long score, LongSupplier position) {
    return 1
        + switch (board.ties()) {
          case EARLIEST_FIRST -> position.getAsLong();
          case SHARED -> stored.countBetter(season, order, score);
          case DENSE -> stored.countBetterScores(season, order, score);
        };
  }

  @Override
  public long deepest() {
    return DEEPEST;
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    ranked(offset, stored.page(season, order, offset, limit), sink);
  }

  /** By the user's own place in the order, and not by counting up to it once more. */
  @Override
  public void around(int user, long position, int above, int below, RowSink sink) {
    Entry own = entry(user);
    if (own == null) {
      return;
    }
    RankReads.Place place = new RankReads.Place(own.score(), own.reached(), users.id(user));
    List<RankReads.Placed> rows =
        new ArrayList<>(stored.before(season, order, place, above).reversed());
    long from = position - rows.size();
    rows.add(new RankReads.Placed(user, own.score(), own.reached()));
    rows.addAll(stored.after(season, order, place, below));
    ranked(from, rows, sink);
  }

  private void ranked(long offset, List<RankReads.Placed> rows, RowSink sink) {
    long position = offset;
    long rank = 0;
    long score = 0;
    for (RankReads.Placed placed : rows) {
      long here = position;
      if (rank == 0) {
        rank = rank(placed.score(), () -> here);
      } else {
        rank =
            switch (board.ties()) {
              case EARLIEST_FIRST -> position + 1;
              case SHARED -> placed.score() == score ? rank : position + 1;
              case DENSE -> placed.score() == score ? rank : rank + 1;
            };
      }
      sink.accept(rank, placed.user(), placed.score(), placed.reached());
      score = placed.score();
      position++;
    }
  }

  @Override
  public long countUpTo(long score, long reached, int user) {
    Entry entry = entry(user);
    boolean taken = entry != null && entry.score() == score && entry.reached() == reached;
    return stored.countBefore(season, order, new RankReads.Place(score, reached, users.id(user)))
        + (taken ? 1 : 0);
  }

  @Override
  public long better(long score) {
    return stored.countBetter(season, order, score);
  }
}
