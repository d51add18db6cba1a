package dev.laurel.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** A call is a way to the server and back: many values go as arrays in one. */
final class PostgresStatements extends Statements {
  private final PGConnection connection;
  private final IdentityHashMap<Insert, String> inserts = new IdentityHashMap<>();

  PostgresStatements(Connection connection) {
    super(connection);
    this.connection = (PGConnection) connection;
  }

  @Override
  Rows rows(Insert insert) {
    return new Columns(insert);
  }

  private static String sql(Insert insert) {
    String arrays =
        insert.columns().stream()
            .map(column -> "?::" + type(column.type()) + "[]")
            .collect(Collectors.joining(", "));
    return ("INSERT INTO " + insert.table() + " (" + insert.names() + ")")
        + (" SELECT * FROM unnest(" + arrays + ")")
        + (insert.key().isEmpty() ? "" : replacing(insert));
  }

  private static String replacing(Insert insert) {
    return insert.columns().stream()
        .map(Insert.Column::name)
        .filter(name -> !insert.key().contains(name))
        .map(name -> name + " = excluded." + name)
        .collect(
            Collectors.joining(
                ", ", " ON CONFLICT (" + String.join(", ", insert.key()) + ") DO UPDATE SET ", ""));
  }

  private static String type(Insert.Type type) {
    return switch (type) {
      case NUMBER -> "bigint";
      case TEXT -> "text";
      case BYTES -> "bytea";
    };
  }

  /** The rows, column by column. */
  private final class Columns implements Rows {
    private final Insert insert;
    private final Object[] columns;
    private int capacity = 64;
    private int count;
    private int column;

    Columns(Insert insert) {
      this.insert = insert;
      this.columns = new Object[insert.columns().size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] =
            switch (insert.columns().get(i).type()) {
              case NUMBER -> new long[capacity];
              case TEXT -> new String[capacity];
              case BYTES -> new byte[capacity][];
            };
      }
    }

    @Override
    public Rows number(long value) {
      ((long[]) columns[column++])[count] = value;
      return this;
    }

    @Override
    public Rows text(@Nullable String value) {
      ((@Nullable Object[]) columns[column++])[count] = value;
      return this;
    }

    @Override
    public Rows bytes(byte @Nullable [] value) {
      ((@Nullable Object[]) columns[column++])[count] = value;
      return this;
    }

    @Override
    public void end() {
      column = 0;
      if (++count == capacity) {
        capacity *= 2;
        resize(capacity);
      }
    }

    private void resize(int size) {
      for (int i = 0; i < columns.length; i++) {
        columns[i] =
            columns[i] instanceof long[] numbers
                ? Arrays.copyOf(numbers, size)
                : Arrays.copyOf((Object[]) columns[i], size);
      }
    }

    @Override
    public void store() throws SQLException {
      if (count == 0) {
        return;
      }
      resize(count);
      PreparedStatement statement = get(inserts.computeIfAbsent(insert, PostgresStatements::sql));
      for (int i = 0; i < columns.length; i++) {
        Insert.Type type = insert.columns().get(i).type();
        statement.setArray(i + 1, connection.createArrayOf(type(type), columns[i]));
      }
      statement.executeUpdate();
    }
  }

  @Override
  void each(String query, long first, Object[] values, RowConsumer consumer) throws SQLException {
    if (values.length == 0) {
      return;
    }
    String type =
        switch (values[0]) {
          case Integer _ -> "integer";
          case Long _ -> "bigint";
          default -> "bytea";
        };
    PreparedStatement find = get(query + " = ANY (?)");
    find.setLong(1, first);
    find.setArray(2, connection.createArrayOf(type, values));
    try (ResultSet rows = find.executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows);
      }
    }
  }
}
