package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.GuardRule;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of guarded boards, and what they caught. */
final class GuardTables {
  private static final String RULES =
      "SELECT board, rule, threshold, action FROM board_guards ORDER BY board, number";
  private static final String CLEAR = "DELETE FROM board_guards WHERE board = ?";
  private static final String PUT_RULE =
      "INSERT INTO board_guards (board, number, rule, threshold, action) VALUES (?, ?, ?, ?, ?)";
  private static final String READ =
      "SELECT board, line, user_number, rule, value, threshold, action, state, caught_at, reviewer,"
          + " reviewed_at, report FROM anomalies WHERE board = ?";
  private static final String ONE = READ + " AND line = ?";
  private static final String ALL = READ + " AND line < ? ORDER BY line DESC LIMIT ?";
  private static final String IN = READ + " AND line < ? AND state = ? ORDER BY line DESC LIMIT ?";
  private static final String INSERT =
      "INSERT INTO anomalies (board, line, user_number, rule, value, threshold, action, state,"
          + " caught_at, reviewer, reviewed_at, report)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String REPORT =
      INSERT
          + " ON CONFLICT (board, line) DO UPDATE SET report = excluded.report, state = 'OPEN'"
          + " WHERE anomalies.state IN ('OPEN', 'RECORDED')";
  private static final String ERASE_REPORTS =
      "UPDATE anomalies SET report = NULL"
          + " WHERE board = ? AND user_number = ? AND report IS NOT NULL";
  private static final String BEFORE = "SELECT 1 FROM anomalies WHERE caught_at < ? LIMIT 1";
  private static final String REMOVE_BEFORE =
      "DELETE FROM anomalies WHERE (board, line) IN (SELECT board, line FROM anomalies"
          + " WHERE caught_at < ? ORDER BY caught_at LIMIT ?)";
  private static final String REVIEW =
      "UPDATE anomalies SET state = ?, reviewer = ?, reviewed_at = ?"
          + " WHERE board = ? AND line = ? AND state IN ('OPEN', 'RECORDED')";

  private final Statements statements;
  private final MetaTable meta;

  GuardTables(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  Map<Long, List<GuardRule>> rules() throws SQLException {
    Map<Long, List<GuardRule>> rules = new HashMap<>();
    try (ResultSet rows = statements.get(RULES).executeQuery()) {
      while (rows.next()) {
        rules
            .computeIfAbsent(rows.getLong(1), b -> new ArrayList<>())
            .add(
                new GuardRule(
                    GuardRule.Kind.valueOf(rows.getString(2)),
                    rows.getDouble(3),
                    GuardRule.Action.valueOf(rows.getString(4))));
      }
    }
    return rules;
  }

  int put(long board, List<GuardRule> rules) throws SQLException {
    meta.nextRevision();
    statements.update(CLEAR, board);
    for (int i = 0; i < rules.size(); i++) {
      GuardRule rule = rules.get(i);
      statements.update(
          PUT_RULE, board, i, rule.kind().name(), rule.threshold(), rule.action().name());
    }
    return rules.size();
  }

  int put(Collection<Anomaly> anomalies) throws SQLException {
    for (Anomaly a : anomalies) {
      put(INSERT, a);
    }
    return anomalies.size();
  }

  private int put(String sql, Anomaly a) throws SQLException {
    return statements.update(
        sql,
        a.board(),
        a.line(),
        a.user(),
        a.rule().name(),
        a.value(),
        a.threshold(),
        a.action().name(),
        a.state().name(),
        a.at(),
        a.reviewer(),
        a.reviewedAt(),
        a.report());
  }

  int report(Anomaly reported) throws SQLException {
    return put(REPORT, reported);
  }

  /** Reports are about people: they go with what is personal of the lines. */
  int eraseReports(List<LedgerLine> lines) throws SQLException {
    Set<Owner> owners = new HashSet<>();
    lines.forEach(line -> owners.add(new Owner(line.board(), line.user())));
    int erased = 0;
    for (Owner owner : owners) {
      erased += statements.update(ERASE_REPORTS, owner.board, owner.user);
    }
    return erased;
  }

  /** Whose lines they are. */
  private record Owner(long board, int user) {}

  int review(long board, long line, Anomaly.State state, long reviewer, long at)
      throws SQLException {
    return statements.update(REVIEW, state.name(), reviewer, at, board, line);
  }

  boolean hasBefore(long time) throws SQLException {
    return statements.number(0, BEFORE, time) == 1;
  }

  int removeBefore(long time, int limit) throws SQLException {
    return statements.update(REMOVE_BEFORE, time, limit);
  }

  List<Anomaly> one(long board, long line) throws SQLException {
    return statements.list(GuardTables::anomaly, ONE, board, line);
  }

  List<Anomaly> list(long board, Anomaly.@Nullable State state, long before, int limit)
      throws SQLException {
    return state == null
        ? statements.list(GuardTables::anomaly, ALL, board, before, limit)
        : statements.list(GuardTables::anomaly, IN, board, before, state.name(), limit);
  }

  private static Anomaly anomaly(ResultSet row) throws SQLException {
    return new Anomaly(
        row.getLong(1),
        row.getLong(2),
        row.getInt(3),
        GuardRule.Kind.valueOf(row.getString(4)),
        row.getDouble(5),
        row.getDouble(6),
        GuardRule.Action.valueOf(row.getString(7)),
        Anomaly.State.valueOf(row.getString(8)),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        row.getString(12));
  }
}
