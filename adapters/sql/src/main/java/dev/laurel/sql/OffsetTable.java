package dev.laurel.sql;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.SourceRefusal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** How far each board has taken each partition, and what it refused. A batch has few of them. */
final class OffsetTable {
  private static final String FIND =
      "SELECT last_offset FROM kafka_offsets WHERE board = ? AND topic = ? AND part = ?";
  private static final String MOVE =
      "INSERT INTO kafka_offsets (board, topic, part, last_offset) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT (board, topic, part) DO UPDATE SET last_offset = excluded.last_offset"
          + " WHERE excluded.last_offset > kafka_offsets.last_offset";

  private static final String REFUSED =
      "SELECT record_offset, code, message FROM source_refusals"
          + " WHERE topic = ? AND part = ? AND board = ?";
  private static final String REFUSE =
      "INSERT INTO source_refusals (topic, part, board, record_offset, code, message)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String SETTLE =
      "DELETE FROM source_refusals WHERE topic = ? AND part = ? AND record_offset <= ?";

  private static final Comparator<SourcePartition> ORDER =
      Comparator.comparingLong(SourcePartition::board)
          .thenComparingLong(p -> p.topic().high())
          .thenComparingLong(p -> p.topic().low())
          .thenComparingInt(SourcePartition::partition);

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
    // In one order, so that two who move the same ones do not wait for each other.
    for (SourcePartition p : offsets.keySet().stream().sorted(ORDER).toList()) {
      statements.get(MOVE, p.board(), p.topic().bytes(), p.partition(), offsets.get(p));
      move.addBatch();
    }
    move.executeBatch();
    for (Map.Entry<SourcePartition, Long> moved : offsets.entrySet()) {
      SourcePartition p = moved.getKey();
      if (p.isSettled()) {
        statements.update(SETTLE, p.topic().bytes(), p.partition(), moved.getValue());
      }
    }
    return offsets.size();
  }

  Map<Long, Rejection> refusals(SourcePartition p) throws SQLException {
    Map<Long, Rejection> found = new HashMap<>();
    try (ResultSet rows =
        statements.get(REFUSED, p.topic().bytes(), p.partition(), p.board()).executeQuery()) {
      while (rows.next()) {
        found.put(
            rows.getLong(1), Rejection.of(ErrorCode.valueOf(rows.getString(2)), rows.getString(3)));
      }
    }
    return found;
  }

  int refuse(Collection<SourceRefusal> refusals) throws SQLException {
    for (SourceRefusal refusal : refusals) {
      SourcePartition p = refusal.source();
      statements.update(
          REFUSE,
          p.topic().bytes(),
          p.partition(),
          p.board(),
          refusal.offset(),
          refusal.rejection().code().name(),
          refusal.rejection().message());
    }
    return refusals.size();
  }
}
