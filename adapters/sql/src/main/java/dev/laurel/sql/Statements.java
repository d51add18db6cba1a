package dev.laurel.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one connection: each is prepared once and kept. So a statement must
 * not be used again while its rows are being read. How many values go to the database at once is
 * the business of the subclass.
 */
abstract class Statements {
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
      bind(statement, i + 1, parameters[i]);
    }
    return statement;
  }

  static void bind(PreparedStatement statement, int at, @Nullable Object parameter)
      throws SQLException {
    switch (parameter) {
      case null -> statement.setNull(at, Types.NULL);
      case Long number -> statement.setLong(at, number);
      case Integer number -> statement.setInt(at, number);
      case Double number -> statement.setDouble(at, number);
      case String text -> statement.setString(at, text);
      case byte[] bytes -> statement.setBytes(at, bytes);
      default -> throw new IllegalArgumentException("parameter: " + parameter.getClass());
    }
  }

  int update(String sql, @Nullable Object... parameters) throws SQLException {
    return get(sql, parameters).executeUpdate();
  }

  /** Runs it to its end, whatever it answers on the way. */
  void script(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
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

  /** Takes one row. */
  @FunctionalInterface
  interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  /**
   * Asks for the rows of many values.
   *
   * @param query ends with the column that is to be one of the values, and has one parameter before
   */
  abstract void each(String query, long first, Object[] values, RowConsumer consumer)
      throws SQLException;

  /** To be filled with rows. */
  abstract Rows rows(Insert insert) throws SQLException;
}
