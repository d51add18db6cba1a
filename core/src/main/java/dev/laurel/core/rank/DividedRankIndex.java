package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Two indexes, each with the boards that it can rank: those with dense ties are in this node's
 * memory, all others where nodes share them. A dense rank is one more than the number of better
 * scores, each counted once; a sorted set elsewhere cannot tell it but by counting, a tree can.
 * Both follow the ledger, so nobody has to keep them in step. Thread-safe.
 */
public final class DividedRankIndex implements RankIndex {
  private final RankIndex shared;
  private final RankIndex dense;

  public DividedRankIndex(RankIndex shared, RankIndex dense) {
    this.shared = shared;
    this.dense = dense;
  }

  private RankIndex of(Board board) {
    return board.ties() == Ties.DENSE ? dense : shared;
  }

  @Override
  public @Nullable Ranking ranking(Board board, Season season) {
    return of(board).ranking(board, season);
  }

  @Override
  public @Nullable Ranking original(Board board, Season season) {
    return of(board).original(board, season);
  }

  @Override
  public long epoch() {
    return shared.epoch();
  }

  @Override
  public void enter(long epoch) {
    shared.enter(epoch);
    dense.enter(epoch);
  }

  @Override
  public void follow(Board board, Season season, long line) {
    of(board).follow(board, season, line);
  }

  @Override
  public void follow(ReadTransaction tx, List<Moved> boards) {
    Map<RankIndex, List<Moved>> divided =
        boards.stream().collect(Collectors.groupingBy(moved -> of(moved.board())));
    divided.forEach((index, its) -> index.follow(tx, its));
  }

  @Override
  public void prepare(ReadTransaction tx, Board board, Season season, long line) {
    of(board).prepare(tx, board, season, line);
  }

  @Override
  public Draft draft(Board board, Season season, Step step, List<Change> changes) {
    return of(board).draft(board, season, step, changes);
  }

  @Override
  public void missed(Board board, Season season, long line) {
    of(board).missed(board, season, line);
  }

  @Override
  public void catchUp(Board board, Season season) {
    of(board).catchUp(board, season);
  }

  @Override
  public void rebuild(Board board, Season season) {
    of(board).rebuild(board, season);
  }

  @Override
  public void renamed(Board board, Season season) {
    of(board).renamed(board, season);
  }

  @Override
  public void keepOnly(LongPredicate listed) {
    shared.keepOnly(listed);
    dense.keepOnly(listed);
  }

  @Override
  public int seasons() {
    return shared.seasons() + dense.seasons();
  }

  @Override
  public boolean isLoaded(Season season) {
    return shared.isLoaded(season) || dense.isLoaded(season);
  }

  @Override
  public long behind() {
    return shared.behind() + dense.behind();
  }

  @Override
  public long loads() {
    return shared.loads() + dense.loads();
  }

  @Override
  public long size(Season season) {
    long there = shared.size(season);
    // Both hold a season while memory stands in for what was lost elsewhere.
    return there > 0 ? there : dense.size(season);
  }

  @Override
  public long size() {
    return shared.size() + dense.size();
  }

  @Override
  public void check() {
    shared.check();
  }

  @Override
  public boolean isDown() {
    return shared.isDown();
  }

  @Override
  public void close() {
    try {
      shared.close();
    } finally {
      dense.close();
    }
  }
}
