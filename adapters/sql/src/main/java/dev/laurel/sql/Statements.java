package dev.laurel.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one connection: each is prepared once and kept. So a statement must
 * not be used again while its rows are being read.
 */
final class Statements {
  /**
   * Lists are filled up to one of these lengths, so that few statements serve all. Finding 1,000
   * entries took 3.5 ms one by one, 1.8 ms by the hundred, and no less by more.
   */
  private static final int[] LIST_LENGTHS = {1, 10, 100};

  static final int LONGEST_LIST = 100;

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  PreparedStatement get(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Forgets rows that a failed work added to a batch, or the next work would store them. */
  void clearBatches() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.clearBatch();
    }
  }

  /** The statement with its parameters set: numbers, texts, bytes and nulls. */
  PreparedStatement get(String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = get(sql);
    for (int i = 0; i < parameters.length; i++) {
      Object parameter = parameters[i];
      switch (parameter) {
        case null -> statement.setNull(i + 1, Types.NULL);
        case Long number -> statement.setLong(i + 1, number);
        case Integer number -> statement.setInt(i + 1, number);
        case String text -> statement.setString(i + 1, text);
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default -> throw new IllegalArgumentException("parameter: " + parameter.getClass());
      }
    }
    return statement;
  }

  int update(String sql, @Nullable Object... parameters) throws SQLException {
    return get(sql, parameters).executeUpdate();
  }

  /** The one number that the query answers with; {@code otherwise} if it has no row. */
  long number(long otherwise, String sql, @Nullable Object... parameters) throws SQLException {
    try (ResultSet rows = get(sql, parameters).executeQuery()) {
      return rows.next() ? rows.getLong(1) : otherwise;
    }
  }

  /** Makes a value of the present row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  <T> List<T> list(Row<T> row, String sql, @Nullable Object... parameters) throws SQLException {
    List<T> found = new ArrayList<>();
    try (ResultSet rows = get(sql, parameters).executeQuery()) {
      while (rows.next()) {
        found.add(row.read(rows));
      }
    }
    return found;
  }

  /** How many question marks the list for this many values has; the last value fills it up. */
  static int listLength(int values) {
    for (int length : LIST_LENGTHS) {
      if (values <= length) {
        return length;
      }
    }
    return LONGEST_LIST;
  }

  /** The query once for each list length, to be chosen from by {@link #forList}. */
  static String[] withLists(String before, String after) {
    String[] queries = new String[LIST_LENGTHS.length];
    for (int i = 0; i < queries.length; i++) {
      queries[i] =
          before + "(" + String.join(",", Collections.nCopies(LIST_LENGTHS[i], "?")) + ")" + after;
    }
    return queries;
  }

  static String forList(String[] queries, int length) {
    for (int i = 0; i < queries.length; i++) {
      if (LIST_LENGTHS[i] == length) {
        return queries[i];
      }
    }
    throw new IllegalArgumentException("list length: " + length);
  }
}
