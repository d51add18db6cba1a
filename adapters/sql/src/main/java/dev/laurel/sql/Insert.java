package dev.laurel.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An INSERT of many rows at once, which databases take in different ways: {@link Statements#rows}.
 *
 * @param key the columns by which a row replaces the one there is; empty where that is a failure
 */
record Insert(String table, List<Column> columns, List<String> key) {
  /** What a column takes; every number is sent as a long. */
  enum Type {
    NUMBER,
    TEXT,
    BYTES
  }

  record Column(String name, Type type) {}

  static Insert into(String table) {
    return new Insert(table, List.of(), List.of());
  }

  Insert numbers(String... names) {
    return with(Type.NUMBER, names);
  }

  Insert texts(String... names) {
    return with(Type.TEXT, names);
  }

  Insert bytes(String... names) {
    return with(Type.BYTES, names);
  }

  Insert replacing(String... names) {
    return new Insert(table, columns, List.of(names));
  }

  private Insert with(Type type, String... names) {
    List<Column> all = new ArrayList<>(columns);
    for (String name : names) {
      all.add(new Column(name, type));
    }
    return new Insert(table, List.copyOf(all), key);
  }

  /** The names of all columns. */
  String names() {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
