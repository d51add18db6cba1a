package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Samples;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What callers are told when SQLite fails. */
final class SqliteFailureTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(
      names = {
        "SQLITE_BUSY",
        "SQLITE_BUSY_SNAPSHOT",
        "SQLITE_LOCKED",
        "SQLITE_IOERR",
        "SQLITE_IOERR_READ",
        "SQLITE_FULL",
        "SQLITE_CANTOPEN",
        "SQLITE_READONLY",
        "SQLITE_NOTADB"
      })
  void failure_thatMayPass_isUnavailable(SQLiteErrorCode code) {
    assertThat(dialect().failure("read", new SQLiteException("x", code)))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE_CONSTRAINT", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_ERROR"})
  void failure_ofTheWork_isFinal(SQLiteErrorCode code) {
    assertThat(dialect().failure("read", new SQLiteException("x", code)))
        .isExactlyInstanceOf(StoreException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE_IOERR", "SQLITE_IOERR_FSYNC", "SQLITE_CORRUPT", "UNKNOWN_ERROR"})
  void commitFailure_afterTheFrameMayBeWritten_isUnknown(SQLiteErrorCode code) {
    assertThat(dialect().commitFailure(new SQLiteException("x", code)))
        .isInstanceOf(CommitUnknownException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE_BUSY", "SQLITE_FULL"})
  void commitFailure_beforeIt_isUnavailable(SQLiteErrorCode code) {
    assertThat(dialect().commitFailure(new SQLiteException("x", code)))
        .isInstanceOf(StoreUnavailableException.class);
  }

  /** SQLite rolls back by itself when the disk is full; the session must notice. */
  @Test
  void write_diskFull_isUnavailableAndAppliesNothing() throws SQLException {
    SqliteDialect dialect = dialect();
    dialect.migrate();
    Session session = new Session(dialect.connect(Dialect.Role.WRITER), dialect, null);
    try (Statement statement = session.connection().createStatement()) {
      statement.execute("PRAGMA max_page_count = 60");
    }
    List<EntryWrite> many =
        IntStream.rangeClosed(1, 20_000)
            .mapToObj(user -> new EntryWrite(1, user, Samples.entry(user, 1)))
            .toList();
    assertThatThrownBy(() -> put(session, many)).isInstanceOf(StoreUnavailableException.class);
    Session next = session.isBroken() ? fresh(session, dialect) : session;
    assertThat(next.<Long>read(tx -> tx.ranks().count(1))).isZero();
    put(next, many.subList(0, 10));
    assertThat(next.<Long>read(tx -> tx.ranks().count(1))).isEqualTo(10);
    next.close();
  }

  private static Session fresh(Session broken, SqliteDialect dialect) throws SQLException {
    broken.close();
    Session session = new Session(dialect.connect(Dialect.Role.WRITER), dialect, null);
    session.recover();
    return session;
  }

  private static void put(Session session, List<EntryWrite> entries) {
    session.write(
        tx -> {
          tx.putEntries(entries);
          return true;
        });
  }

  private SqliteDialect dialect() {
    return new SqliteDialect(folder, new ManualClock(), FolderLock.take(folder), false);
  }
}
