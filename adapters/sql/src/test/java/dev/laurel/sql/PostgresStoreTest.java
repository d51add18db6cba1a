package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.time.TimeJudge;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.Samples;
import dev.laurel.testkit.StoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract on PostgreSQL, and what is PostgreSQL's own: several nodes. */
final class PostgresStoreTest extends StoreContract {
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  @Override
  protected Store open(Path folder, LedgerKey key, boolean chainAnew) {
    return PostgresStore.open(url, null, null, null, TimeJudge.BELIEVING, key, chainAnew);
  }

  @Override
  public void behindItsBack(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Test
  void open_byTwoNodes_makesOneStore() {
    try (Store other = open(folder)) {
      assertThat(other.<Long>read(tx -> tx.epoch()))
          .isEqualTo(store().<Long>read(tx -> tx.epoch()));
      assertThat(other.<Long>read(tx -> (long) tx.lastLines().length)).isEqualTo(other.shards());
      assertThat(other.lanes()).isGreaterThan(1);
      assertThat(other.isShared()).isTrue();
    }
  }

  /** Each adds one to what it finds: a lost update, a gap or a line used twice would show. */
  @Test
  void write_severalCommittersOfTwoNodesOnOneShard_takeTurns() throws Exception {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.primary().id();
    int commits = 40;
    try (Store other = open(folder);
        var executor = Executors.newFixedThreadPool(6)) {
      List<Future<Integer>> committers = new ArrayList<>();
      for (int t = 0; t < 6; t++) {
        Store node = t % 2 == 0 ? store() : other;
        Callable<Integer> committer =
            () -> {
              int won = 0;
              for (int i = 0; i < commits; i++) {
                // Every id is offered by all six, and taken by the one that comes first.
                won += addOnce(node, board, season, "id" + i) ? 1 : 0;
              }
              return won;
            };
        committers.add(executor.submit(committer));
      }
      int won = 0;
      for (Future<Integer> committer : committers) {
        won += committer.get();
      }
      assertThat(won).isEqualTo(commits);
    }
    List<LedgerLine> lines = lines(board.shard(), 0, Long.MAX_VALUE, 1_000);
    assertThat(lines.stream().map(LedgerLine::line))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, commits).mapToObj(line -> (long) line).toList());
    List<@Nullable Entry> entries = store().read(tx -> tx.entries(season, new int[] {1}));
    assertThat(entries).containsExactly(Samples.entry(commits, 1));
    assertThat(position(season)).isEqualTo(commits);
    assertThat(store().<Map<Long, Long>>read(tx -> tx.changedBoards(board.shard(), 0, 1_000)))
        .containsExactly(Map.entry(board.id(), (long) commits));
  }

  private static boolean addOnce(Store node, Board board, long season, String id) {
    StoredId stored =
        new StoredId(board.id(), Digest.of(id), Digest.of("p"), 1, true, 1, 1, 1, null);
    return node.write(
        tx -> {
          long line = tx.lockShard(board.shard()) + 1;
          if (!tx.ids(List.of(stored.name())).isEmpty()) {
            return false;
          }
          var before = tx.entries(season, new int[] {1}).getFirst();
          long score = before == null ? 1 : before.score() + 1;
          tx.append(board.shard(), List.of(Samples.line(board.shard(), line, board.id(), 1)));
          tx.putEntries(List.of(new EntryWrite(season, 1, Samples.entry(score, 1))));
          tx.moveSeasons(Map.of(season, line));
          tx.putIds(List.of(stored));
          return true;
        });
  }

  /** An id that another node stored meanwhile, without the lock that would have told. */
  @Test
  void putIds_takenByAnotherNode_isRefused() {
    try (Store other = open(folder)) {
      StoredId id = new StoredId(1, Digest.of("1"), Digest.of("p"), 1, true, 1, 1, 1, null);
      other.write(
          tx -> {
            tx.putIds(List.of(id));
            return true;
          });
      assertThatThrownBy(() -> write(tx -> tx.putIds(List.of(id))))
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  void open_nobodyListens_saysSoInOneLine() {
    String nobody = "jdbc:postgresql://127.0.0.1:1/laurel";
    assertThatThrownBy(() -> PostgresStore.open(nobody, "laurel", null, null).close())
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("cannot reach ")
        .hasMessageContaining("127.0.0.1:1 refused")
        .hasMessageNotContaining("\n");
  }

  @Test
  void entries_topAndRank_areAnsweredFromTheIndexAlone() throws Exception {
    write(
        tx ->
            tx.putEntries(
                IntStream.rangeClosed(1, 20_000)
                    .mapToObj(user -> new EntryWrite(7, user, Samples.entry(user % 5_000, user)))
                    .toList()));
    PostgresDialect dialect =
        new PostgresDialect(PostgresAddress.of(url, null, null), null, TimeJudge.BELIEVING);
    try (Connection connection = dialect.connect(Dialect.Role.WRITER);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute("VACUUM ANALYZE entries");
      // So small a table is read as fast by way of a bitmap; the question is what is possible.
      statement.execute("SET enable_bitmapscan = off");
      String ranked =
          "FROM (SELECT user_number, score, reached FROM entries WHERE season = 7 AND deleted = 0) e";
      assertThat(plan(statement, "SELECT count(*) " + ranked + " WHERE e.score > 4900"))
          .contains("Index Only Scan using entries_by_order");
      for (String order : List.of("DESC", "ASC")) {
        assertThat(
                plan(
                    statement,
                    "SELECT e.user_number, e.score "
                        + ranked
                        + " ORDER BY e.score "
                        + order
                        + ", e.reached LIMIT 10"))
            .contains("using entries_by_order")
            .contains("Index Only Scan");
      }
    } finally {
      dialect.release();
    }
  }

  private static String plan(Statement statement, String query) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (ResultSet rows = statement.executeQuery("EXPLAIN ANALYZE " + query)) {
      while (rows.next()) {
        plan.append(rows.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }
}
