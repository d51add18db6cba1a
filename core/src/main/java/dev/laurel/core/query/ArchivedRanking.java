package dev.laurel.core.query;

import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.model.Board;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ranks of a season that is in the archive only. Belongs to one thread. */
final class ArchivedRanking extends WrittenRanking {
  private final ArchivedSeason season;

  ArchivedRanking(ArchivedSeason season, Board board, UserDictionary users) {
    super(board.order(), users, season.users());
    this.season = season;
  }

  @Override
  public long line() {
    return season.line();
  }

  @Override
  List<FinalRank> rows(long from, int limit) {
    return season.rows(from, limit).stream().map(this::numbered).toList();
  }

  @Override
  @Nullable FinalRank find(int user) {
    long position = user == 0 ? -1 : season.position(users().id(user));
    return position < 0 ? null : at(position);
  }

  /** As it was when the season was archived. */
  @Override
  String id(FinalRank row) {
    return season.rows(row.position(), 1).getFirst().userId();
  }

  @Override
  boolean hasMetadata(FinalRank row) {
    return season.rows(row.position(), 1).getFirst().entry().metadata() != null;
  }

  private FinalRank numbered(ArchivedRow row) {
    // 0 for a user who was erased since: the dictionary has a word for that.
    return row.rank().of(users().find(row.userId()));
  }
}
