package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What differs between databases. Everything else is one SQL that all of them speak: a further
 * database is a further dialect and its migrations, not a second store. Thread-safe.
 */
interface Dialect {
  /** What a connection is for. */
  enum Role {
    WRITER,
    READER
  }

  /** How many connections there may be at once. */
  int connections(Role role);

  /** Whether calls of the driver hold on to the carrier of a virtual thread. */
  boolean pinsVirtualThreads();

  /** A connection, set up, that commits only when told to. */
  Connection connect(Role role) throws SQLException;

  /** Brings the schema up to date. */
  void migrate();

  /** What a SELECT of one row ends with to lock it; begins with a space unless it is empty. */
  String rowLock();

  /** The database's clock, in epoch milliseconds. */
  long now();

  /** What a failed statement means to the caller. The transaction is rolled back after it. */
  StoreException failure(String doing, SQLException cause);

  /** What a failed commit means to the caller. */
  StoreException commitFailure(SQLException cause);

  /** Called once, with the last connection, before it is closed. */
  void closing(Connection last) throws SQLException;

  /** Gives back what is held beside connections. */
  void release();
}
