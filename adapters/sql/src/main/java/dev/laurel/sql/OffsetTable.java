package dev.laurel.sql;

import dev.laurel.core.store.SourcePartition;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** How far each board has taken each partition. A batch has few of them. */
final class OffsetTable {
  private static final String FIND =
      "SELECT last_offset FROM kafka_offsets WHERE board = ? AND topic = ? AND part = ?";
  private static final String MOVE =
      "INSERT INTO kafka_offsets (board, topic, part, last_offset) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT (board, topic, part) DO UPDATE SET last_offset = excluded.last_offset"
          + " WHERE excluded.last_offset > kafka_offsets.last_offset";

  private final Statements statements;

  OffsetTable(Statements statements) {
    this.statements = statements;
  }

  Map<SourcePartition, Long> find(Collection<SourcePartition> partitions) throws SQLException {
    Map<SourcePartition, Long> found = new HashMap<>();
    for (SourcePartition p : partitions) {
      long offset = statements.number(-1, FIND, p.board(), p.topic().bytes(), p.partition());
      if (offset >= 0) {
        found.put(p, offset);
      }
    }
    return found;
  }

  int move(Map<SourcePartition, Long> offsets) throws SQLException {
    if (offsets.isEmpty()) {
      return 0;
    }
    PreparedStatement move = statements.get(MOVE);
    for (Map.Entry<SourcePartition, Long> entry : offsets.entrySet()) {
      SourcePartition p = entry.getKey();
      statements.get(MOVE, p.board(), p.topic().bytes(), p.partition(), entry.getValue());
      move.addBatch();
    }
    move.executeBatch();
    return offsets.size();
  }
}
