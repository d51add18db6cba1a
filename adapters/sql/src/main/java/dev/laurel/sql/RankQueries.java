package dev.laurel.sql;

import dev.laurel.core.model.Order;
import dev.laurel.core.store.RankReads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Ranks by SQL, for when the index cannot answer.
 *
 * <p>Ties of (score, reached) go by user id, which is in another table, and to look up a million
 * ids for a page of ten is slow. But which scores and times a page shows does not depend on the
 * ids: so each query first finds the range of (score, reached) that it needs, from entries alone,
 * and then joins the ids of that range only. On SQLite every query reads the whole season (it has
 * no order index, on purpose); where there is one, the same statements use it.
 */
final class RankQueries implements RankReads {
  /** A season's entries that have a rank. */
  private static final String STORED =
      "(SELECT user_number, score, reached FROM entries WHERE season = ? AND deleted = 0";

  private static final String TABLE = STORED + ")";

  /** The same while some of them are newer than the table; see {@link Entries#show}. */
  private static final String TABLE_AND_RECENT =
      STORED
          + " AND user_number NOT IN (SELECT user_number FROM temp.recent)"
          + " UNION ALL"
          + " SELECT user_number, score, reached FROM temp.recent WHERE deleted = 0)";

  private final Calls calls;
  private final Statements statements;
  private final Entries entries;
  private final Queries[] highestFirst = both(">", "<", "DESC", "ASC");
  private final Queries[] lowestFirst = both("<", ">", "ASC", "DESC");

  RankQueries(Calls calls, Statements statements, Entries entries) {
    this.calls = calls;
    this.statements = statements;
    this.entries = entries;
  }

  private static Queries[] both(String better, String worse, String bestFirst, String worstFirst) {
    return new Queries[] {
      new Queries(TABLE, better, worse, bestFirst, worstFirst),
      new Queries(TABLE_AND_RECENT, better, worse, bestFirst, worstFirst)
    };
  }

  /** The statements of one order. */
  private static final class Queries {
    final String count;
    final String countBetter;
    final String countBetterScores;
    final String countBefore;
    final String countTiesBefore;
    final String keysOfPage;
    final String rowsBetween;
    final String lastKeyAfter;
    final String rowsAfter;
    final String lastKeyBefore;
    final String rowsBefore;

    /**
     * @param entries of the season, a table in brackets
     * @param better how a better score compares
     * @param worse how a worse one does
     * @param bestFirst how scores sort
     * @param worstFirst the other way
     */
    Queries(String entries, String better, String worse, String bestFirst, String worstFirst) {
      String season = " FROM " + entries + " e WHERE TRUE";
      // The tenant once, not once a row. Text compares as its UTF-8 bytes: SQLite does
      // so by itself, elsewhere the column says it.
      String joined =
          " FROM "
              + entries
              + " e JOIN users u ON u.number = e.user_number AND u.tenant ="
              + " (SELECT b.tenant FROM seasons s JOIN boards b ON b.id = s.board WHERE s.id = ?)"
              + " WHERE TRUE";
      // The first condition is for an order index, which knows no OR.
      String before = "(e.score " + better + "= ? AND (e.score <> ? OR e.reached < ?))";
      String upTo = "(e.score " + better + "= ? AND (e.score <> ? OR e.reached <= ?))";
      String after = "(e.score " + worse + "= ? AND (e.score <> ? OR e.reached > ?))";
      String from = "(e.score " + worse + "= ? AND (e.score <> ? OR e.reached >= ?))";
      String tie = "(e.score = ? AND e.reached = ? AND u.id ";
      String row = "SELECT e.user_number, e.score, e.reached";
      String key = "SELECT e.score, e.reached";
      String keyOrder = " ORDER BY e.score " + bestFirst + ", e.reached ASC";
      String keyOrderBack = " ORDER BY e.score " + worstFirst + ", e.reached DESC";

      count = "SELECT count(*)" + season;
      countBetter = "SELECT count(*)" + season + " AND e.score " + better + " ?";
      countBetterScores =
          "SELECT count(DISTINCT e.score)" + season + " AND e.score " + better + " ?";
      countBefore = "SELECT count(*)" + season + " AND " + before;
      countTiesBefore = "SELECT count(*)" + joined + " AND " + tie + "< ?)";
      keysOfPage = key + season + keyOrder + " LIMIT ? OFFSET ?";
      rowsBetween =
          row + joined + " AND " + from + " AND " + upTo + keyOrder + ", u.id ASC LIMIT ? OFFSET ?";
      lastKeyAfter = key + season + " AND " + after + keyOrder + " LIMIT 1 OFFSET ?";
      rowsAfter =
          row
              + joined
              + (" AND (" + after + " OR " + tie + "> ?)) AND " + upTo)
              + (keyOrder + ", u.id ASC LIMIT ?");
      lastKeyBefore = key + season + " AND " + before + keyOrderBack + " LIMIT 1 OFFSET ?";
      rowsBefore =
          row
              + joined
              + (" AND (" + before + " OR " + tie + "< ?)) AND " + from)
              + (keyOrderBack + ", u.id DESC LIMIT ?");
    }
  }

  private Queries by(long season, Order order) throws SQLException {
    Queries[] queries = order == Order.HIGHEST_FIRST ? highestFirst : lowestFirst;
    return queries[entries.show(season) ? 1 : 0];
  }

  /** What the database sorts by before the id. */
  private record Key(long score, long reached) {
    static Key read(ResultSet row) throws SQLException {
      return new Key(row.getLong(1), row.getLong(2));
    }
  }

  private static Placed placed(ResultSet row) throws SQLException {
    return new Placed(row.getInt(1), row.getLong(2), row.getLong(3));
  }

  @Override
  public long count(long season) {
    return calls.run(
        "count entries", () -> statements.number(0, by(season, Order.HIGHEST_FIRST).count, season));
  }

  @Override
  public long countBetter(long season, Order order, long score) {
    return calls.run(
        "count entries", () -> statements.number(0, by(season, order).countBetter, season, score));
  }

  @Override
  public long countBetterScores(long season, Order order, long score) {
    return calls.run(
        "count scores",
        () -> statements.number(0, by(season, order).countBetterScores, season, score));
  }

  @Override
  public long countBefore(long season, Order order, Place place) {
    long score = place.score();
    long reached = place.reached();
    return calls.run(
        "count entries",
        () ->
            countBefore(season, order, new Key(score, reached))
                + statements.number(
                    0,
                    by(season, order).countTiesBefore,
                    season,
                    season,
                    score,
                    reached,
                    place.userId()));
  }

  private long countBefore(long season, Order order, Key key) throws SQLException {
    return statements.number(
        0, by(season, order).countBefore, season, key.score, key.score, key.reached);
  }

  @Override
  public List<Placed> page(long season, Order order, long offset, int limit) {
    return calls.run("read a page", () -> rows(season, order, offset, limit));
  }

  private List<Placed> rows(long season, Order order, long offset, int limit) throws SQLException {
    Queries queries = by(season, order);
    List<Key> keys = statements.list(Key::read, queries.keysOfPage, season, limit, offset);
    if (keys.isEmpty()) {
      return List.of();
    }
    Key first = keys.getFirst();
    Key last = keys.getLast();
    // Entries tied with the first that are on the page before.
    long skip = offset - countBefore(season, order, first);
    return statements.list(
        RankQueries::placed,
        queries.rowsBetween,
        season,
        season,
        first.score,
        first.score,
        first.reached,
        last.score,
        last.score,
        last.reached,
        limit,
        skip);
  }

  @Override
  public List<Placed> after(long season, Order order, Place place, int limit) {
    // Where there are fewer than asked for, up to the worst there can be.
    Key worst = new Key(order.score(Long.MAX_VALUE), Long.MAX_VALUE);
    return calls.run(
        "read a page",
        () -> {
          Queries queries = by(season, order);
          return near(season, place, limit, queries.lastKeyAfter, queries.rowsAfter, worst);
        });
  }

  @Override
  public List<Placed> before(long season, Order order, Place place, int limit) {
    Key best = new Key(order.score(Long.MIN_VALUE), Long.MIN_VALUE);
    return calls.run(
        "read a page",
        () -> {
          Queries queries = by(season, order);
          return near(season, place, limit, queries.lastKeyBefore, queries.rowsBefore, best);
        });
  }

  private List<Placed> near(
      long season, Place place, int limit, String lastKey, String rows, Key utmost)
      throws SQLException {
    if (limit <= 0) {
      return List.of();
    }
    long score = place.score();
    long reached = place.reached();
    List<Key> last = statements.list(Key::read, lastKey, season, score, score, reached, limit - 1);
    Key end = last.isEmpty() ? utmost : last.getFirst();
    return statements.list(
        RankQueries::placed,
        rows,
        season,
        season,
        score,
        score,
        reached,
        score,
        reached,
        place.userId(),
        end.score,
        end.score,
        end.reached,
        limit);
  }
}
