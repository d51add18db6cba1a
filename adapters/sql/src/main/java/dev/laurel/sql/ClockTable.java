package dev.laurel.sql;

import dev.laurel.core.time.ClockView;
import java.sql.SQLException;
import java.util.List;

/** What nodes make of the clock. A row each, written now and then. */
final class ClockTable {
  private static final String READ =
      "SELECT node, number, since, claimed, trusted, objects, confirmed FROM clock_views"
          + " ORDER BY node";
  private static final String PUT =
      "INSERT INTO clock_views (node, number, since, claimed, trusted, objects, confirmed)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT (node) DO UPDATE SET number = excluded.number, since = excluded.since,"
          + " claimed = excluded.claimed,"
          + " trusted = excluded.trusted, objects = excluded.objects,"
          + " confirmed = excluded.confirmed";

  /** Nodes that are not there any more: their clocks said so long ago, or will say so. */
  private static final String FORGET =
      "DELETE FROM clock_views WHERE node <> ? AND (claimed < ? OR claimed > ?)";

  private static final long DAY = 86_400_000;

  private final Statements statements;

  ClockTable(Statements statements) {
    this.statements = statements;
  }

  List<ClockView> all() throws SQLException {
    return statements.list(
        row ->
            new ClockView(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getInt(6) != 0,
                row.getLong(7)),
        READ);
  }

  int put(ClockView view) throws SQLException {
    statements.update(FORGET, view.node(), view.claimed() - DAY, view.claimed() + DAY);
    return statements.update(
        PUT,
        view.node(),
        view.number(),
        view.since(),
        view.claimed(),
        view.trusted(),
        view.objects() ? 1 : 0,
        view.confirmed());
  }
}
