package dev.laurel.core.cluster;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.ChangedBoard;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings seasons in memory to where other nodes have moved them: whatever happened since the last
 * turn, on however many boards, is read by a handful of queries on one snapshot. So a node with a
 * thousand boards follows as closely as one with a single board. For one thread.
 */
public final class LedgerFollower {
  /** Further behind, each season decides by itself whether to read on or to begin anew. */
  private static final long MOST_LINES = 50_000;

  private final Store store;
  private final BoardDirectory directory;
  private final RankIndex index;
  private long epoch;
  private long[] seen;

  /** Begins where the store is. What was committed before is left to those who load it later. */
  public LedgerFollower(Store store, BoardDirectory directory, RankIndex index) {
    this.store = store;
    this.directory = directory;
    this.index = index;
    Reached now = store.read(tx -> new Reached(tx.epoch(), tx.lastLines(), Set.of()));
    this.epoch = now.epoch;
    this.seen = now.lines;
  }

  private record Reached(long epoch, long[] lines, Set<Long> boards) {}

  /**
   * Takes over what is new; if something fails, the next turn begins at the same place.
   *
   * @return the boards that lines were written about
   */
  public Set<Long> turn() {
    Reached now = store.read(this::follow);
    epoch = now.epoch;
    seen = now.lines;
    return now.boards;
  }

  private Reached follow(ReadTransaction tx) {
    KnownBoards directory = this.directory.known();
    NewEpochException.unless(tx, directory.epoch());
    long current = tx.epoch();
    long[] lines = tx.lastLines();
    // In a new epoch the lines may be others, and the index begins anew anyway.
    long moved = current == epoch ? moved(lines) : 0;
    Set<Long> boards = new TreeSet<>();
    if (moved > MOST_LINES) {
      for (int shard = 0; shard < lines.length; shard++) {
        if (lines[shard] > seen[shard]) {
          tx.changedBoards(shard, seen[shard], lines[shard])
              .forEach((board, line) -> followAlone(directory.find(board), line, boards));
        }
      }
    } else if (moved > 0) {
      List<RankIndex.Moved> known = new ArrayList<>();
      for (ChangedBoard changed : tx.changes(seen, lines)) {
        Board board = directory.find(changed.board());
        if (board != null) {
          known.add(new RankIndex.Moved(board, changed.line(), changed.users()));
          boards.add(board.id());
        }
      }
      index.follow(tx, known);
    }
    return new Reached(current, lines, boards);
  }

  private long moved(long[] lines) {
    long moved = 0;
    for (int shard = 0; shard < lines.length; shard++) {
      moved += Math.max(0, lines[shard] - seen[shard]);
    }
    return moved;
  }

  private void followAlone(@Nullable Board board, long line, Set<Long> boards) {
    if (board != null) {
      for (Season season : board.seasons()) {
        index.follow(board, season, line);
      }
      boards.add(board.id());
    }
  }
}
