package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.time.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What differs between databases. Everything else is one SQL that all of them speak: a further
 * database is a further dialect and its migrations, not a second store. Thread-safe.
 */
interface Dialect {
  /** What a connection is for. */
  enum Role {
    WRITER,
    READER,

    /** For {@link dev.laurel.core.store.Store.Reading#LONG}. */
    LONG_READER,

    /** For {@link dev.laurel.core.store.Store.Reading#JOB}. */
    JOB_READER;

    static Role of(Store.Reading reading) {
      return switch (reading) {
        case SHORT -> READER;
        case LONG -> LONG_READER;
        case JOB -> JOB_READER;
      };
    }
  }

  /** How many connections there may be at once. */
  int connections(Role role);

  /** After how long a read is given up, so that what it holds on to has a bound. */
  Duration longestRead();

  /** How many committers find work at once. */
  int lanes();

  /** Whether other processes may write to the same database. */
  boolean isShared();

  /** Whether calls of the driver hold on to the carrier of a virtual thread. */
  boolean pinsVirtualThreads();

  /** Whether a statement may use a parameter several times, by its number. */
  boolean sharesParameters();

  /** A connection, set up, that commits only when told to. */
  Connection connect(Role role) throws SQLException;

  /** Whether a connection that was not used for a while still works. */
  boolean isAlive(Connection connection);

  /** How statements go over a connection. */
  Statements statements(Connection connection);

  /** Where entries are. */
  Entries entries(Statements statements);

  /** Brings the schema up to date. */
  void migrate();

  /** What a SELECT of one row ends with to lock it; begins with a space unless it is empty. */
  String rowLock();

  /** Where shards and seasons stand. */
  Positions positions(Statements statements);

  /** Whether a column of bytes contains those of a parameter. */
  String contains(String column);

  /** The query for the epoch and the revision. */
  String state();

  /** The database's clock, and what this node makes of it. */
  Moment moment(Statements statements) throws SQLException;

  /** What a failed statement means to the caller. The transaction is rolled back after it. */
  StoreException failure(String doing, SQLException cause);

  /** What a failed commit means to the caller. */
  StoreException commitFailure(SQLException cause);

  /** Whether the database has much space that it does not use and could give back. */
  boolean isLoose(Statements statements) throws SQLException;

  /** Gives a little of it back. */
  void tighten(Statements statements) throws SQLException;

  /** Called after a commit that others may want to hear of. */
  void committed();

  /** See {@link dev.laurel.core.store.Store#awaitHint}. */
  void awaitHint(Duration atMost) throws InterruptedException;

  /** Called once, with the last connection, before it is closed. */
  void closing(Connection last) throws SQLException;

  /** Gives back what is held beside connections. */
  void release();
}
