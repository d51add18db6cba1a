package dev.laurel.sql;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.time.Moment;
import dev.laurel.core.time.MomentSource;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** SQLite: a file, one writer, readers that never wait for it (WAL). */
final class SqliteDialect implements Dialect {
  static final String FILE = "laurel.db";

  private static final int READERS = 4;
  private static final int LONG_READERS = 3;
  private static final int JOB_READERS = 1;

  /** The log of changes cannot be cut as long as somebody reads what was before them. */
  private static final Duration LONGEST_READ = Duration.ofSeconds(60);

  private static final int BUSY_TIMEOUT_MS = 5_000;

  /** Random keys over a million entries: 46k rows/s with the default 2 MB, 95k with 64 MB. */
  private static final int WRITER_CACHE_KB = 65_536;

  /** Readers answer the rare question that the index cannot; the operating system caches too. */
  private static final int READER_CACHE_KB = 8_192;

  /** Pages. The default of 1,000 writes a page that is hot back to the file again and again. */
  private static final int CHECKPOINT_PAGES = 8_000;

  /** Some 300,000 entries without metadata: about twenty for each page of a season of a million. */
  private static final long SWEEP_BYTES = 16_777_216;

  /** Less than this is not worth the work, and neither is less than a fifth of the file. */
  private static final int FREE_PAGES = 1024;

  private static final int FREE_SHARE = 5;

  /** A megabyte. Each page at the end of the file is copied to a free one before. */
  private static final int TIGHTEN_PAGES = 256;

  /** Above it the log of changes is cut to this size when it begins anew. */
  private static final int LOG_BYTES = 67_108_864;

  /** What long reads may hold on to, of the heap. */
  private static final long PINNED_SHARE = 16;

  private final SQLiteDataSource source;
  private final MomentSource clock;
  private final FolderLock lock;
  private final RecentEntries recent;
  private final boolean rewrite;

  /** The file may have been restored before it was opened, and never while it is open. */
  private final long opening = new SecureRandom().nextLong();

  /**
   * @param rewrite whether a file of before is rewritten at the start, however large it is
   */
  SqliteDialect(Path folder, InstantSource clock, FolderLock lock, boolean rewrite) {
    this(
        folder,
        clock,
        lock,
        rewrite,
        new RecentEntries(SWEEP_BYTES, Runtime.getRuntime().maxMemory() / PINNED_SHARE));
  }

  /** With another size of {@link RecentEntries}. */
  SqliteDialect(
      Path folder, InstantSource clock, FolderLock lock, boolean rewrite, RecentEntries recent) {
    this.rewrite = rewrite;
    SQLiteConfig config = new SQLiteConfig();
    // FULL, not NORMAL: in WAL mode NORMAL does not sync at commit, and what was acknowledged
    // could be lost with the power.
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    // Nobody asks for them, and the driver would prepare and run a query after every INSERT.
    config.setGetGeneratedKeys(false);
    this.source = new SQLiteDataSource(config);
    this.source.setUrl("jdbc:sqlite:" + folder.resolve(FILE));
    this.clock = MomentSource.of(clock);
    this.lock = lock;
    this.recent = recent;
  }

  @Override
  public int connections(Role role) {
    return switch (role) {
      case WRITER -> 1;
      case READER -> READERS;
      case LONG_READER -> LONG_READERS;
      case JOB_READER -> JOB_READERS;
    };
  }

  @Override
  public Duration longestRead() {
    return LONGEST_READ;
  }

  /** One commit locks the whole file. */
  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public boolean pinsVirtualThreads() {
    return true;
  }

  @Override
  public boolean sharesParameters() {
    return true;
  }

  @Override
  public Connection connect(Role role) throws SQLException {
    Connection connection = source.getConnection();
    try (Statement statement = connection.createStatement()) {
      int cache = role == Role.WRITER ? WRITER_CACHE_KB : READER_CACHE_KB;
      statement.execute("PRAGMA cache_size = -" + cache);
      statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      statement.execute("PRAGMA journal_size_limit = " + LOG_BYTES);
      statement.execute("PRAGMA temp_store = MEMORY");
      // For the entries of a season that the table lacks, while somebody asks for its ranks.
      statement.execute(
          "CREATE TEMP TABLE recent (user_number INTEGER NOT NULL PRIMARY KEY,"
              + " score INTEGER NOT NULL, reached INTEGER NOT NULL, deleted INTEGER NOT NULL)");
      if (role != Role.WRITER) {
        statement.execute("PRAGMA query_only = ON");
      }
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** A file does not hang up. */
  @Override
  public boolean isAlive(Connection connection) {
    return true;
  }

  @Override
  public Statements statements(Connection connection) {
    return new SqliteStatements(connection);
  }

  @Override
  public Entries entries(Statements statements) {
    return new DeferredEntries(statements, recent);
  }

  @Override
  public void migrate() {
    SqliteSchema.migrate(source, source.getUrl(), rewrite);
  }

  /** The one writer has all of it. */
  @Override
  public String rowLock() {
    return "";
  }

  @Override
  public Positions positions(Statements statements) {
    return new WrittenPositions(statements);
  }

  @Override
  public String contains(String column) {
    return "instr(" + column + ", ?) > 0";
  }

  @Override
  public String state() {
    // Exclusive or, for which there is no operator.
    return ("SELECT (value | %1$d) - (value & %1$d),"
            + " (SELECT value FROM meta WHERE name = 'revision')"
            + " FROM meta WHERE name = 'epoch'")
        .formatted(opening);
  }

  @Override
  public Moment moment(Statements statements) {
    return clock.moment();
  }

  @Override
  public StoreException failure(String doing, SQLException cause) {
    String message = "SQLite: cannot " + doing + ": " + cause.getMessage();
    return switch (code(cause)) {
      // The file, its folder or the machine: the same work may succeed later, whatever it is.
      case SQLITE_BUSY,
          SQLITE_LOCKED,
          SQLITE_IOERR,
          SQLITE_FULL,
          SQLITE_CANTOPEN,
          SQLITE_READONLY,
          SQLITE_PERM,
          SQLITE_AUTH,
          SQLITE_NOMEM,
          SQLITE_INTERRUPT,
          SQLITE_PROTOCOL,
          SQLITE_CORRUPT,
          SQLITE_NOTADB ->
          new StoreUnavailableException(message, cause);
      default -> new StoreException(message, cause);
    };
  }

  @Override
  public StoreException commitFailure(SQLException cause) {
    return switch (code(cause)) {
      // SQLite says all of these before it writes the frame that makes the commit.
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_CONSTRAINT -> failure("commit", cause);
      // The frame may be on disk or not: a failed sync tells neither.
      default -> new CommitUnknownException("SQLite: commit failed: " + cause.getMessage(), cause);
    };
  }

  /** Without the details: SQLITE_IOERR_FSYNC is SQLITE_IOERR. */
  private static SQLiteErrorCode code(SQLException e) {
    return e instanceof SQLiteException sqlite
        ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xff)
        : SQLiteErrorCode.UNKNOWN_ERROR;
  }

  /**
   * Also whether it can give it back: only a file that was made so, or rewritten. A part of it
   * stays free, for the seasons that come next.
   */
  @Override
  public boolean isLoose(Statements statements) throws SQLException {
    long free = statements.number(0, "PRAGMA freelist_count");
    return free > FREE_PAGES
        && free > statements.number(0, "PRAGMA page_count") / FREE_SHARE
        && statements.number(0, "PRAGMA auto_vacuum") == SqliteSchema.INCREMENTAL;
  }

  @Override
  public void tighten(Statements statements) throws SQLException {
    statements.script("PRAGMA incremental_vacuum(" + TIGHTEN_PAGES + ")");
  }

  @Override
  public void committed() {}

  @Override
  public void awaitHint(Duration atMost) {
    throw new IllegalStateException("nobody else writes to this file");
  }

  /** Leaves one file that can be copied, instead of a file and its log. */
  @Override
  public void closing(Connection last) throws SQLException {
    last.setAutoCommit(true);
    try (Statement statement = last.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  @Override
  public void release() {
    lock.release();
  }
}
