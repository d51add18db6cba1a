package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;

/** Builds a season's snapshot from its entries; of a season with a capacity, from the best only. */
public final class SeasonLoad {
  private SeasonLoad() {}

  /**
   * @param ids with every user that the transaction sees
   */
  public static RankSnapshot read(
      ReadTransaction tx, Board board, Season season, UserDictionary ids) {
    if (season.capacity() == 0) {
      return all(tx, board, season.id(), ids);
    }
    Best best = new Best(RankSnapshot.empty(board.order(), board.ties(), ids, season.capacity()));
    // Before the rows, of which there may be so many that nothing may be asked after them.
    long position = tx.position(season.id());
    tx.entries(season.id(), best::add);
    return best.editor.build(position);
  }

  /** About how many entries {@link #read} will hold. */
  static long entries(ReadTransaction tx, Season season) {
    long all = tx.ranks().count(season.id());
    return season.capacity() == 0 ? all : Math.min(all, new Cap(season.capacity(), null).limit());
  }

  /** Whatever the capacity. */
  public static RankSnapshot all(ReadTransaction tx, Board board, long season, UserDictionary ids) {
    RankSnapshot.Builder all = RankSnapshot.builder(board.order(), board.ties(), ids);
    long position = tx.position(season);
    tx.entries(season, all::add);
    return all.build(position);
  }

  /** Lets a season of any size through and never holds more than a snapshot between two trims. */
  private static final class Best {
    private RankSnapshot.Editor editor;

    Best(RankSnapshot empty) {
      this.editor = empty.edit();
    }

    void add(int user, long score, long reached, boolean hasMetadata) {
      editor.put(user, score, reached, hasMetadata);
      if (editor.isTooLarge()) {
        editor = editor.build(0).trimmed().edit();
      }
    }
  }
}
