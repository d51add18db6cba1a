package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Samples;
import dev.laurel.testkit.StoreContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract on SQLite, and what is SQLite's own. */
final class SqliteStoreTest extends StoreContract {
  private final ManualClock clock = new ManualClock();

  @Override
  protected Store open(Path folder, LedgerKey key, boolean chainAnew) {
    return SqliteStore.open(folder, clock, key, chainAnew);
  }

  @Override
  public void behindItsBack(String sql) {
    String url = "jdbc:sqlite:" + folder.resolve(SqliteDialect.FILE);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Test
  void open_folderInUse_isRefusedByName() {
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("process " + ProcessHandle.current().pid())
        .hasMessageContaining("laurel.lock");
  }

  @Test
  void open_folderInUseByAnotherProcess_isRefused() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process other =
        new ProcessBuilder(
                java.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                OpenFolder.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).as(output).isEqualTo(3);
    assertThat(output)
        .contains(folder.toString())
        .contains("process " + ProcessHandle.current().pid());
  }

  @Test
  void open_fileThatIsNoDatabase_failsAndFreesTheFolder() throws Exception {
    Path other = folder.resolve("other");
    Files.createDirectories(other);
    Path file =
        Files.writeString(other.resolve(SqliteDialect.FILE), "not a database, ".repeat(100));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> open(other))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(file.toString());
    }
    Files.delete(file);
    open(other).close();
  }

  @Test
  void open_newFolder_takesTheTimeFromTheClock() {
    assertThat(tenants().getFirst().createdAt()).isEqualTo(clock.millis());
  }

  @Test
  void connect_writerAndReader_areDurableAndStrict() throws Exception {
    SqliteDialect dialect = dialect();
    for (Dialect.Role role : Dialect.Role.values()) {
      try (Connection connection = dialect.connect(role)) {
        assertThat(pragma(connection, "journal_mode")).isEqualTo("wal");
        assertThat(pragma(connection, "synchronous")).isEqualTo("2"); // FULL
        assertThat(pragma(connection, "foreign_keys")).isEqualTo("1");
        assertThat(pragma(connection, "encoding")).isEqualTo("UTF-8");
        assertThat(pragma(connection, "busy_timeout")).isEqualTo("5000");
        assertThat(pragma(connection, "wal_autocheckpoint")).isEqualTo("8000");
        boolean writer = role == Dialect.Role.WRITER;
        assertThat(pragma(connection, "cache_size")).isEqualTo(writer ? "-65536" : "-8192");
        assertThat(pragma(connection, "query_only")).isEqualTo(writer ? "0" : "1");
        assertThat(connection.getAutoCommit()).isFalse();
      }
    }
  }

  @Test
  void write_whileAnotherProgramWrites_isUnavailableNotBroken() throws Exception {
    // busy_timeout would make the case wait: so the dialect is asked, with what SQLite throws.
    SqliteDialect dialect = dialect();
    try (Connection first = dialect.connect(Dialect.Role.WRITER);
        Connection second = dialect.connect(Dialect.Role.WRITER);
        Statement one = first.createStatement();
        Statement two = second.createStatement()) {
      two.execute("PRAGMA busy_timeout = 0");
      one.executeUpdate("UPDATE meta SET value = value");
      assertThatThrownBy(() -> two.executeUpdate("UPDATE meta SET value = value"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e ->
                  assertThat(dialect.failure("write", e))
                      .isInstanceOf(StoreUnavailableException.class)
                      .hasMessageContaining("cannot write"));
    }
  }

  @Test
  void readAndWrite_fromVirtualThreads_work() throws Exception {
    Board board = Samples.create(store(), Samples.board("b"));
    List<Future<Long>> results = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        int user = i;
        results.add(
            executor.submit(
                () -> {
                  store().read(tx -> assertPlatformThread(tx.revision()));
                  return store()
                      .write(
                          tx -> {
                            long line = tx.lockShard(0) + 1;
                            tx.append(0, List.of(Samples.line(0, line, board.id(), user)));
                            return assertPlatformThread(line);
                          });
                }));
      }
    }
    List<Long> lines = new ArrayList<>();
    for (Future<Long> result : results) {
      lines.add(result.get());
    }
    assertThat(lines).doesNotHaveDuplicates().hasSize(50);
  }

  @Test
  void write_fromAVirtualThreadThatThrows_rethrowsTheSame() throws Exception {
    RuntimeException thrown = new IllegalArgumentException("mine");
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> result =
          executor.submit(
              () ->
                  assertThatThrownBy(
                          () ->
                              store()
                                  .write(
                                      tx -> {
                                        throw thrown;
                                      }))
                      .isSameAs(thrown));
      result.get();
    }
  }

  @Test
  void write_fromAPlatformThread_staysOnIt() {
    Thread here = Thread.currentThread();
    assertThat(store().<Thread>write(tx -> Thread.currentThread())).isSameAs(here);
  }

  @Test
  void updateBoard_newVersion_keepsTheOldOne() throws Exception {
    Board board = Samples.create(store(), Samples.board("b"));
    store().write(tx -> tx.updateBoard(Samples.renamed(board, 2, "second")));
    List<String> names = new ArrayList<>();
    try (Connection connection = dialect().connect(Dialect.Role.READER);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT name FROM board_versions ORDER BY version")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    assertThat(names).containsExactly(board.name(), "second");
  }

  @Test
  void close_always_leavesOneFileAndItsLock() throws Exception {
    Path other = folder.resolve("other");
    Store closed = open(other);
    Samples.create(closed, Samples.board("b"));
    closed.close();
    try (var files = Files.list(other)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(SqliteDialect.FILE, FolderLock.FILE);
    }
  }

  private static long assertPlatformThread(long result) {
    assertThat(Thread.currentThread().isVirtual()).isFalse();
    return result;
  }

  /** A second one for the same file; the lock is not its business. */
  private SqliteDialect dialect() {
    return new SqliteDialect(folder, clock, FolderLock.take(folder.resolve("unused")), false);
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      return row.getString(1);
    }
  }
}
