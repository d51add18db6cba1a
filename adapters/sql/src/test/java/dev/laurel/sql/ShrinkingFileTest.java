package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.lifecycle.Compaction;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.Store;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was purged and pruned is given back to the disk. */
class ShrinkingFileTest {
  private static final int LINES = 40_000;

  @TempDir private Path folder = Path.of("");
  private final ManualClock clock = new ManualClock();

  private Store open(boolean rewrite) {
    return SqliteStore.open(folder, clock, null, false, rewrite);
  }

  private static LedgerLine line(long board, long number) {
    return new LedgerLine(
        0,
        number,
        board,
        1 + (int) (number % 1000),
        LedgerLine.Kind.SCORE,
        Update.SUM,
        number,
        number,
        1,
        1,
        0,
        7,
        1,
        "event-" + number,
        "{\"text\":\"" + "x".repeat(300) + "\"}",
        null,
        null);
  }

  private static void fill(Store store) {
    Board board = Samples.create(store, Samples.board("b"));
    for (int from = 1; from <= LINES; from += 4_000) {
      List<LedgerLine> lines = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        lines.add(line(board.id(), from + i));
      }
      store.write(
          tx -> {
            tx.lockShard(0);
            tx.append(0, lines);
            return true;
          });
    }
  }

  /** All but the last thousand. */
  private static void prune(Store store) {
    List<LedgerLine> lines;
    do {
      lines = store.read(tx -> tx.lines(0, 0, LINES - 1_000, 4_000));
      List<LedgerLine> first = lines;
      store.write(
          tx -> {
            tx.lockShard(0);
            tx.prune(0, first);
            return true;
          });
    } while (lines.size() == 4_000);
  }

  private static void compact(Store store) {
    Compaction compaction = new Compaction(store);
    for (int i = 0; i < 1_000; i++) {
      compaction.turn(() -> false);
    }
  }

  private long size() throws IOException {
    return Files.size(folder.resolve(SqliteDialect.FILE));
  }

  private long number(String query) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(SqliteDialect.FILE));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.getLong(1);
    }
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(SqliteDialect.FILE));
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  @Test
  void compact_afterPruning_makesTheFileSmallerAndKeepsWhatIsLeft() throws Exception {
    long full;
    try (Store store = open(false)) {
      fill(store);
    }
    full = size();
    try (Store store = open(false)) {
      prune(store);
      compact(store);
      assertThat(store.compact()).isFalse();
      List<LedgerLine> left = store.read(tx -> tx.lines(0, 0, Long.MAX_VALUE, LINES));
      assertThat(left).hasSize(1_000);
      assertThat(left.getLast()).isEqualTo(line(left.getLast().board(), LINES));
    }
    assertThat(size()).isLessThan(full / 3);
    assertThat(number("PRAGMA freelist_count")).isLessThanOrEqualTo(1024);
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(SqliteDialect.FILE));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
      assertThat(row.getString(1)).isEqualTo("ok");
    }
  }

  @Test
  void open_smallFileOfBefore_canShrinkFromThenOn() throws Exception {
    try (Store store = open(false)) {
      Samples.create(store, Samples.board("b"));
    }
    execute("PRAGMA auto_vacuum = 0", "VACUUM");
    assertThat(number("PRAGMA auto_vacuum")).isZero();
    try (Store store = open(false)) {
      assertThat(store.read(tx -> tx.boardsSince(0)).size()).isEqualTo(1);
    }
    assertThat(number("PRAGMA auto_vacuum")).isEqualTo(2);
  }

  /** It would take long, and needs room: only when told to. */
  @Test
  void open_largeFileOfBefore_isRewrittenWhenToldTo() throws Exception {
    try (Store store = open(false)) {
      Samples.create(store, Samples.board("b"));
    }
    execute(
        "PRAGMA auto_vacuum = 0",
        "VACUUM",
        "CREATE TABLE filler AS SELECT zeroblob(70000000) AS bytes",
        "CREATE TABLE more AS SELECT zeroblob(30000000) AS bytes",
        "DROP TABLE more");
    try (Store store = open(false)) {
      assertThat(store.compact()).isFalse();
    }
    assertThat(number("PRAGMA auto_vacuum")).isZero();
    long before = size();
    try (Store store = open(true)) {
      assertThat(store.read(tx -> tx.boardsSince(0)).size()).isEqualTo(1);
    }
    assertThat(number("PRAGMA auto_vacuum")).isEqualTo(2);
    assertThat(size()).isLessThan(before - 20_000_000);
  }
}
