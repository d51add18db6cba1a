package dev.laurel.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes the rows of an {@link Insert}, value by value in the order of its columns. */
interface Rows {
  Rows number(long value) throws SQLException;

  Rows text(@Nullable String value) throws SQLException;

  Rows bytes(byte @Nullable [] value) throws SQLException;

  /** After the last value of a row. */
  void end() throws SQLException;

  /** Stores all of them. */
  void store() throws SQLException;
}
