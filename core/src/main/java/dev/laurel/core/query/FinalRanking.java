package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a season that is over, as they were written then. A user is found by searching for
 * the place of the entry. Lives as long as its transaction; belongs to one thread.
 */
final class FinalRanking extends WrittenRanking {
  private final ReadTransaction tx;
  private final long season;

  FinalRanking(ReadTransaction tx, Board board, Season season, UserDictionary users) {
    super(board.order(), users, tx.finalCount(season.id()));
    this.tx = tx;
    this.season = season.id();
  }

  @Override
  public long line() {
    return tx.position(season);
  }

  @Override
  List<FinalRank> rows(long from, int limit) {
    return tx.finalRanks(season, from, limit);
  }

  @Override
  @Nullable FinalRank find(int user) {
    Entry entry = entry(user);
    if (entry == null || entry.deleted()) {
      return null;
    }
    return find(user, entry.score(), entry.reached());
  }

  @Override
  String id(FinalRank row) {
    return users().id(row.user());
  }

  @Override
  boolean hasMetadata(FinalRank row) {
    Entry entry = entry(row.user());
    return entry != null && entry.metadata() != null;
  }

  private @Nullable Entry entry(int user) {
    Entry entry = user == 0 ? null : tx.entries(season, new int[] {user}).getFirst();
    return entry == null || entry.deleted() ? null : entry;
  }
}
