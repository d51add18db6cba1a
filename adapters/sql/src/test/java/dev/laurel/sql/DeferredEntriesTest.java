package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Samples;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that are committed and not in their table yet: nobody can tell. */
@ExtendWith(Seeds.class)
final class DeferredEntriesTest {
  private static final long NEVER = Long.MAX_VALUE;
  private static final int USERS = 120;

  @TempDir private Path folder = Path.of("");
  private final ManualClock clock = new ManualClock();
  private final ExecutorService readers = Executors.newCachedThreadPool();
  private Path data = Path.of("");
  private Board board = Samples.board("b");
  private EntryModel model = new EntryModel(new long[0], USERS);
  private int copies;

  /** A read that took its snapshot and waits to look at it. */
  private record Held(CountDownLatch look, Future<?> result) {}

  @BeforeEach
  void create() {
    data = folder.resolve("data");
    try (Store store = open(NEVER)) {
      board =
          Samples.create(
              store, Samples.board(1, "b", Samples.season(0, "all"), Samples.season(1, "day")));
      store.assignUsers(
          1,
          KnownUsers.NOBODY,
          IntStream.rangeClosed(1, USERS).mapToObj(EntryModel::userId).toList());
    }
    long[] seasons = board.seasons().stream().mapToLong(season -> season.id()).toArray();
    model = new EntryModel(seasons, USERS);
  }

  @AfterEach
  void end() {
    readers.shutdownNow();
  }

  @Test
  void open_afterACrashBeforeTheSweep_hasEveryEntry(Random random) throws Exception {
    try (Store store = open(NEVER)) {
      for (int i = 0; i < 20; i++) {
        put(store, model.random(random));
      }
      Path crashed = copy();
      assertThat(number(crashed, "SELECT count(*) FROM entries")).isZero();
      assertThat(number(crashed, "SELECT count(*) FROM redo")).isEqualTo(40); // two for each
      check(crashed, random);
    }
  }

  @Test
  void close_always_leavesThemInTheTable(Random random) throws Exception {
    try (Store store = open(NEVER)) {
      put(store, model.random(random));
    }
    assertThat(number(data, "SELECT count(*) FROM redo")).isZero();
    assertThat(number(data, "SELECT count(*) FROM entries")).isEqualTo(model.size());
  }

  @Test
  void put_moreThanASweep_boundsTheRedoRows(Random random) throws Exception {
    try (Store store = open(2_000)) {
      for (int i = 0; i < 300; i++) {
        put(store, model.random(random));
      }
      assertThat(number(copy(), "SELECT sum(length(entries)) FROM redo")).isBetween(1L, 10_000L);
      store.<Boolean>read(tx -> model.check(tx, random));
    }
  }

  /** Puts, rollbacks, crashes, restarts and readers who hold on to their snapshots. */
  @Test
  void everything_inRandomOrder_isAsIfTheyWereInTheTable(Random random) throws Exception {
    Store store = open(2_000);
    ArrayDeque<Held> held = new ArrayDeque<>();
    try {
      for (int step = 0; step < 400; step++) {
        switch (random.nextInt(20)) {
          case 0 -> held.add(hold(store, random.nextLong()));
          case 1 -> release(held.poll());
          case 2 -> rollBack(store, random);
          case 3 -> putAndLook(store, random);
          case 4 -> store.<Boolean>read(tx -> model.check(tx, random));
          case 5 -> {
            if (random.nextInt(4) == 0) {
              check(copy(), random);
            }
          }
          case 6 -> {
            if (random.nextInt(4) == 0) {
              releaseAll(held);
              store.close();
              store = open(2_000);
            }
          }
          default -> put(store, model.random(random));
        }
        if (held.size() == 3) {
          release(held.poll());
        }
      }
      store.<Boolean>read(tx -> model.check(tx, random));
    } finally {
      releaseAll(held);
      store.close();
    }
    check(data, random);
  }

  /** Few entries, but each with as much metadata as there may be. */
  @Test
  void put_ofMuchMetadataDuringALongRead_endsIt() throws Exception {
    int bytes = 1_000_000;
    RecentEntries recent = new RecentEntries(NEVER, bytes);
    try (Store store = SqlStore.open(dialect(data, recent), 1, null, false)) {
      long season = board.primary().id();
      long kept =
          store.read(
              tx -> {
                tx.entries(season, new int[] {1});
                for (int i = 1; i <= 500; i++) {
                  String metadata = "{\"a\":\"" + i + "é".repeat(4000) + "\"}";
                  Entry entry = new Entry(i, i, i, i, i, false, metadata);
                  putBeside(store, new EntryWrite(season, 1, entry));
                }
                assertThatThrownBy(() -> tx.entries(season, new int[] {1}))
                    .isInstanceOf(StoreBusyException.class);
                return recent.held();
              });
      assertThat(kept * 8000L).isLessThan(2L * bytes);
    }
  }

  /** Metadata that does not change is there once, however often the entry is written. */
  @Test
  void put_ofTheSameMetadataDuringALongRead_doesNotEndIt() throws Exception {
    RecentEntries recent = new RecentEntries(NEVER, 1_000_000);
    try (Store store = SqlStore.open(dialect(data, recent), 1, null, false)) {
      long season = board.primary().id();
      Entry entry = new Entry(1, 1, 1, 1, 1, false, "{\"a\":\"" + "é".repeat(4000) + "\"}");
      put(store, List.of(new EntryWrite(season, 1, entry)));
      Entry seen =
          store.read(
              tx -> {
                tx.entries(season, new int[] {1});
                for (int i = 2; i <= 500; i++) {
                  putBeside(store, new EntryWrite(season, 1, entry.withLast(i)));
                }
                return tx.entries(season, new int[] {1}).getFirst();
              });
      assertThat(seen).isEqualTo(entry);
    }
  }

  /** On another thread: this one reads. */
  private void putBeside(Store store, EntryWrite write) {
    CompletableFuture.runAsync(() -> put(store, List.of(write)), readers).join();
  }

  /** Somebody reads and reads: the past is kept for it up to a bound, and then it hears so. */
  @Test
  void put_duringALongRead_keepsABoundedPast(Random random) throws Exception {
    RecentEntries recent = new RecentEntries(NEVER, 500L * RecentEntries.ENTRY_BYTES);
    try (Store store = SqlStore.open(dialect(data, recent), 1, null, false)) {
      put(store, model.random(random));
      CountDownLatch taken = new CountDownLatch(1);
      CountDownLatch look = new CountDownLatch(1);
      Future<Boolean> slow =
          readers.submit(
              () ->
                  store.<Boolean>read(
                      tx -> {
                        model.copy().check(tx, new Random(1));
                        taken.countDown();
                        await(look);
                        // What does not ask for entries goes on.
                        assertThat(tx.lastLines()).hasSize(1);
                        assertThatThrownBy(() -> tx.entries(board.primary().id(), new int[] {1}))
                            .isInstanceOf(StoreBusyException.class);
                        return true;
                      }));
      taken.await();
      long held;
      try {
        for (int i = 0; i < 400; i++) {
          put(store, model.random(random));
        }
        held = recent.held();
      } finally {
        look.countDown();
      }
      assertThat(slow.get()).isTrue();
      assertThat(held).isLessThan(2L * USERS + 500 + 100);
      store.<Boolean>read(tx -> model.check(tx, random));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void commit_ofUnknownOutcome_isWhatTheDatabaseSays(boolean reallyCommitted) {
    Random random = new Random(1);
    FaultyDriver lost = new FaultyDriver(dialect(data, NEVER));
    try (Store store = SqlStore.open(lost, 1, null, false)) {
      put(store, model.random(random));
      List<EntryWrite> unknown = model.random(random);
      lost.loseNext(reallyCommitted);
      assertThatThrownBy(() -> store.write(tx -> putAll(tx::putEntries, unknown)))
          .isInstanceOf(CommitUnknownException.class);
      if (reallyCommitted) {
        model.put(unknown);
      }
      store.<Boolean>read(tx -> model.check(tx, random)); // before a writer has looked
      store.<Boolean>write(tx -> model.check(tx, random));
      put(store, model.random(random));
      store.<Boolean>read(tx -> model.check(tx, random));
    }
  }

  @Test
  void redo_everyKindOfEntry_comesBackAsItWas() {
    List<EntryWrite> writes =
        List.of(
            new EntryWrite(1, 1, new Entry(Long.MIN_VALUE, 1, 2, 3, 4, false, null)),
            new EntryWrite(7, Integer.MAX_VALUE, new Entry(0, 0, 0, 0, 0, true, null)),
            new EntryWrite(1, 2, new Entry(Long.MAX_VALUE, -1, 5, 6, 7, false, "{\"a\":\"é🏆\"}")));
    assertThat(RedoTable.decode(RedoTable.encode(writes))).isEqualTo(writes);
  }

  private void put(Store store, List<EntryWrite> writes) {
    store.write(tx -> putAll(tx::putEntries, writes));
    model.put(writes);
  }

  private interface Put {
    void put(List<EntryWrite> writes);
  }

  /** In two parts, as a work may. */
  private static boolean putAll(Put put, List<EntryWrite> writes) {
    int half = writes.size() / 2;
    put.put(writes.subList(0, half));
    put.put(writes.subList(half, writes.size()));
    return true;
  }

  private void rollBack(Store store, Random random) {
    RuntimeException mine = new IllegalArgumentException("mine");
    assertThatThrownBy(
            () ->
                store.write(
                    tx -> {
                      tx.putEntries(model.random(random));
                      throw mine;
                    }))
        .isSameAs(mine);
  }

  private void putAndLook(Store store, Random random) {
    List<EntryWrite> writes = model.random(random);
    store.<Boolean>write(
        tx -> {
          model.check(tx, random);
          tx.putEntries(writes);
          model.put(writes);
          return model.check(tx, random);
        });
  }

  private Held hold(Store store, long seed) throws InterruptedException {
    EntryModel then = model.copy();
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch look = new CountDownLatch(1);
    Future<?> result =
        readers.submit(
            () ->
                store.<Boolean>read(
                    tx -> {
                      tx.revision();
                      taken.countDown();
                      await(look);
                      return then.check(tx, new Random(seed));
                    }));
    taken.await();
    return new Held(look, result);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void release(@Nullable Held held) throws Exception {
    if (held != null) {
      held.look.countDown();
      held.result.get();
    }
  }

  private static void releaseAll(ArrayDeque<Held> held) throws Exception {
    while (!held.isEmpty()) {
      release(held.poll());
    }
  }

  private void check(Path of, Random random) {
    try (Store store = SqlStore.open(dialect(of, NEVER), 1, null, false)) {
      store.<Boolean>read(tx -> model.check(tx, random));
    }
  }

  /** The files as a crash would leave them now. */
  private Path copy() throws IOException {
    Path to = Files.createDirectories(folder.resolve("copy-" + copies++));
    for (String file : List.of(SqliteDialect.FILE, SqliteDialect.FILE + "-wal")) {
      if (Files.exists(data.resolve(file))) {
        Files.copy(data.resolve(file), to.resolve(file));
      }
    }
    return to;
  }

  private static long number(Path in, String query) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + in.resolve(SqliteDialect.FILE));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.getLong(1);
    }
  }

  private Store open(long sweepBytes) {
    return SqlStore.open(dialect(data, sweepBytes), 1, null, false);
  }

  private SqliteDialect dialect(Path in, long sweepBytes) {
    return dialect(in, new RecentEntries(sweepBytes, NEVER));
  }

  private SqliteDialect dialect(Path in, RecentEntries recent) {
    return new SqliteDialect(in, clock, FolderLock.take(in), false, recent);
  }
}
