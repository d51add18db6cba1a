package dev.laurel.sql;

import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.store.FinalDraft;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The final ranks of seasons that are over, by position. */
final class FinalTable {
  private static final String LAST = "SELECT max(position) + 1 FROM final_ranks WHERE season = ?";
  private static final String READ =
      "SELECT user_number, position, rank, score, reached, prize FROM final_ranks"
          + " WHERE season = ? AND position >= ? ORDER BY position LIMIT ?";
  private static final String INSERT =
      "INSERT INTO final_ranks (season, position, user_number, rank, score, reached, prize)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";

  private static final String REMOVE = "DELETE FROM final_ranks WHERE season = ? AND position >= ?";

  private static final String UP_TO_DATE =
      "SELECT 1 FROM seasons WHERE id = ? AND outdated = 0 AND draft_names = ?";
  private static final String BEGIN =
      "UPDATE seasons SET outdated = 0, draft_names = ? WHERE id = ?";
  private static final String DRAFT = "SELECT draft, draft_names FROM seasons WHERE id = ?";
  private static final String REVISION = "SELECT revision FROM seasons WHERE id = ?";

  private static final String PRIZES =
      "SELECT name, from_rank, to_rank, percent, reward FROM season_prizes"
          + " WHERE season = ? ORDER BY number";
  private static final String CLEAR_PRIZES = "DELETE FROM season_prizes WHERE season = ?";
  private static final String PUT_PRIZE =
      "INSERT INTO season_prizes (season, number, name, from_rank, to_rank, percent, reward)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";

  private final Statements statements;

  FinalTable(Statements statements) {
    this.statements = statements;
  }

  List<PrizeTier> prizes(long season) throws SQLException {
    return statements.list(
        row ->
            new PrizeTier(
                row.getString(1), row.getLong(2), row.getLong(3), row.getInt(4), row.getString(5)),
        PRIZES,
        season);
  }

  int putPrizes(long season, List<PrizeTier> tiers) throws SQLException {
    statements.update(CLEAR_PRIZES, season);
    for (int i = 0; i < tiers.size(); i++) {
      PrizeTier tier = tiers.get(i);
      statements.update(
          PUT_PRIZE, season, i, tier.name(), tier.from(), tier.to(), tier.percent(), tier.reward());
    }
    return tiers.size();
  }

  long count(long season) throws SQLException {
    // A maximum over no rows is null, which reads as 0.
    return statements.number(0, LAST, season);
  }

  List<FinalRank> read(long season, long from, int limit) throws SQLException {
    return statements.list(FinalTable::rank, READ, season, from, limit);
  }

  int append(long season, List<FinalRank> ranks) throws SQLException {
    if (ranks.isEmpty()) {
      return 0;
    }
    long next = count(season);
    PreparedStatement insert = statements.get(INSERT);
    for (FinalRank rank : ranks) {
      if (rank.position() != next++) {
        throw new StoreException(
            "position: %d of season %d (expected: %d)"
                .formatted(rank.position(), season, next - 1));
      }
      insert.setLong(1, season);
      insert.setLong(2, rank.position());
      insert.setInt(3, rank.user());
      insert.setLong(4, rank.rank());
      insert.setLong(5, rank.score());
      insert.setLong(6, rank.reached());
      insert.setInt(7, rank.prize());
      insert.addBatch();
    }
    return insert.executeBatch().length;
  }

  int removeLast(long season, int limit) throws SQLException {
    return statements.update(REMOVE, season, Math.max(0, count(season) - limit));
  }

  /** The last first, so that what is left has no gap. */
  boolean removeOutdated(long season, long names, int limit) throws SQLException {
    if (statements.number(0, UP_TO_DATE, season, names) == 1) {
      return true;
    }
    if (removeLast(season, limit) > 0) {
      return false;
    }
    statements.update(BEGIN, names, season);
    return true;
  }

  FinalDraft draft(long season) throws SQLException {
    List<FinalDraft> found =
        statements.list(row -> new FinalDraft(row.getLong(1), row.getLong(2)), DRAFT, season);
    if (found.isEmpty()) {
      throw new StoreException("season: " + season + " (expected: a stored season)");
    }
    return found.getFirst();
  }

  int revision(long season) throws SQLException {
    return (int) statements.number(0, REVISION, season);
  }

  private static FinalRank rank(ResultSet row) throws SQLException {
    return new FinalRank(
        row.getInt(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getInt(6));
  }
}
