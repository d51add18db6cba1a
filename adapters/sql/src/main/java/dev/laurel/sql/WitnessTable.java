package dev.laurel.sql;

import dev.laurel.core.store.ArchiveWitness;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What processes see of the archive. A row each. */
final class WitnessTable {
  private static final String READ =
      "SELECT node, seen_at, departed, persistent, saw FROM archive_witnesses ORDER BY node";
  private static final String PUT =
      "INSERT INTO archive_witnesses (node, seen_at, departed, persistent, saw)"
          + " VALUES (?, ?, ?, ?, ?)"
          + " ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at,"
          + " departed = excluded.departed, persistent = excluded.persistent, saw = excluded.saw";
  private static final String REMOVE = "DELETE FROM archive_witnesses WHERE node = ?";

  private final Statements statements;

  WitnessTable(Statements statements) {
    this.statements = statements;
  }

  List<ArchiveWitness> all() throws SQLException {
    return statements.list(WitnessTable::witness, READ);
  }

  private static ArchiveWitness witness(ResultSet row) throws SQLException {
    Set<Long> saw =
        Arrays.stream(row.getString(5).split(","))
            .filter(text -> !text.isEmpty())
            .map(text -> Long.parseUnsignedLong(text, 16))
            .collect(Collectors.toSet());
    return new ArchiveWitness(
        row.getLong(1), row.getLong(2), row.getInt(3) != 0, row.getInt(4) != 0, saw);
  }

  int put(ArchiveWitness witness) throws SQLException {
    return statements.update(
        PUT,
        witness.node(),
        witness.at(),
        witness.departed() ? 1 : 0,
        witness.persistent() ? 1 : 0,
        witness.saw().stream().sorted().map(Long::toHexString).collect(Collectors.joining(",")));
  }

  int remove(Collection<Long> nodes) throws SQLException {
    int removed = 0;
    for (long node : nodes) {
      removed += statements.update(REMOVE, node);
    }
    return removed;
  }
}
