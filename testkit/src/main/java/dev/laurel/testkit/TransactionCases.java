package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.store.Asker;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a transaction is: all or nothing, one snapshot, on disk when it returned. */
interface TransactionCases extends StoreCases {
  @Test
  default void write_workReturns_returnsItsResultAndStays() {
    long id = store().write(tx -> tx.createTenant("acme", "Acme", 5).id());
    assertThat(tenants()).anyMatch(tenant -> tenant.id() == id);
  }

  @Test
  default void write_workThrows_rethrowsTheSameAndAppliesNothing() {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.primary().id();
    RuntimeException thrown = new IllegalArgumentException("mine");

    assertThatThrownBy(
            () ->
                store()
                    .write(
                        tx -> {
                          long line = tx.lockShard(board.shard()) + 1;
                          tx.append(
                              board.shard(),
                              List.of(Samples.line(board.shard(), line, board.id(), 1)));
                          tx.putEntries(List.of(new EntryWrite(season, 1, Samples.entry(1, 1))));
                          tx.moveSeasons(Map.of(season, line));
                          tx.putIds(List.of(id(board.id())));
                          tx.createBoard(Samples.board("c"));
                          throw thrown;
                        }))
        .isSameAs(thrown);

    store()
        .read(
            tx -> {
              assertThat(tx.lines(board.shard(), 0, Long.MAX_VALUE, 10)).isEmpty();
              assertThat(tx.entries(season, new int[] {1})).containsOnlyNulls();
              assertThat(tx.position(season)).isZero();
              assertThat(tx.ids(List.of(id(board.id()).name()))).isEmpty();
              assertThat(tx.revision()).isEqualTo(board.revision());
              assertThat(tx.boardsSince(board.revision())).isEmpty();
              return true;
            });
    assertThat(lastLine(board.shard())).isZero();
  }

  @ParameterizedTest
  @EnumSource(Store.Reading.class)
  default void read_whoAskedLeaves_endsUnlessItIsOfAJob(Store.Reading reading) {
    Board board = Samples.create(store(), Samples.board("b"));
    List<EntryWrite> many = new ArrayList<>();
    for (int user = 1; user <= 5000; user++) {
      many.add(new EntryWrite(board.primary().id(), user, Samples.entry(user, user)));
    }
    store()
        .write(
            tx -> {
              tx.lockShard(board.shard());
              tx.putEntries(many);
              return true;
            });
    Asker asker = new Asker(true);
    AtomicInteger rows = new AtomicInteger();
    Runnable read =
        () ->
            asker.during(
                () ->
                    store()
                        .read(
                            reading,
                            tx -> {
                              tx.entries(
                                  board.primary().id(),
                                  (user, score, reached, metadata) -> {
                                    rows.incrementAndGet();
                                    asker.leave();
                                  });
                              return tx.epoch();
                            }));
    if (reading == Store.Reading.JOB) {
      read.run();
      assertThat(rows).hasValue(5000);
      return;
    }
    assertThatThrownBy(read::run).isInstanceOf(CancellationException.class);
    assertThat(rows.get()).isLessThan(2000);
    assertThatThrownBy(() -> asker.during(() -> store().read(reading, tx -> tx.epoch())))
        .isInstanceOf(CancellationException.class);
    // Others go on, on the same connections.
    assertThat(store().<Long>read(reading, tx -> tx.ranks().count(board.primary().id())))
        .isEqualTo(5000);
    asker.during(() -> store().write(tx -> tx.createTenant("acme", "Acme", 5)));
  }

  @Test
  default void write_workThrowsAnError_rethrowsTheSame() {
    Error thrown = new AssertionError("mine");
    assertThatThrownBy(
            () ->
                store()
                    .write(
                        tx -> {
                          throw thrown;
                        }))
        .isSameAs(thrown);
  }

  @Test
  default void read_workThrows_rethrowsTheSame() {
    RuntimeException thrown = new IllegalArgumentException("mine");
    assertThatThrownBy(
            () ->
                store()
                    .read(
                        tx -> {
                          throw thrown;
                        }))
        .isSameAs(thrown);
  }

  @Test
  default void write_afterAFailure_works() {
    Board board = Samples.create(store(), Samples.board("b"));
    StoredId id = id(board.id());
    write(tx -> tx.putIds(List.of(id)));
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> write(tx -> tx.putIds(List.of(id))))
          .isInstanceOf(StoreException.class);
    }
    StoredId other =
        new StoredId(board.id(), Digest.of("2"), Digest.of("p"), 1, true, 10, 1, 1, null);
    write(tx -> tx.putIds(List.of(other)));
    assertThat(store().write(tx -> tx.createBoard(Samples.board("c"))).uuid()).isEqualTo("c");
  }

  /** Rows that were handed to the database but not yet sent are part of what is undone. */
  @Test
  default void write_failureInTheMiddleOfABatch_leavesNothingForTheNext() {
    EntryWrite good = new EntryWrite(1, 1, Samples.entry(1, 1));
    @SuppressWarnings("NullAway") // the mistake that is to be survived
    EntryWrite bad = new EntryWrite(1, 2, null);
    assertThatThrownBy(() -> write(tx -> tx.putEntries(List.of(good, bad))))
        .isInstanceOf(NullPointerException.class);
    write(tx -> tx.putEntries(List.of(new EntryWrite(1, 3, Samples.entry(3, 3)))));
    assertThat(count(1)).isEqualTo(1);
  }

  @Test
  default void write_workSwallowsAFailure_isNotCommitted() {
    Board board = Samples.create(store(), Samples.board("b"));
    StoredId id = id(board.id());
    write(tx -> tx.putIds(List.of(id)));

    assertThatThrownBy(
            () ->
                store()
                    .write(
                        tx -> {
                          tx.createBoard(Samples.board("c"));
                          try {
                            tx.putIds(List.of(id));
                          } catch (StoreException e) {
                            return tx.createBoard(Samples.board("d")).uuid();
                          }
                          return "stored twice";
                        }))
        .isInstanceOf(StoreException.class);

    assertThat(boardsSince(board.revision())).isEmpty();
  }

  @Test
  default void write_insideATransaction_isRefused() {
    assertThatThrownBy(() -> store().write(tx -> store().<Boolean>write(inner -> true)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store().read(tx -> store().<Boolean>read(inner -> true)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> store().write(tx -> store().assignUsers(1, KnownUsers.NOBODY, List.of("a"))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void read_whileAnotherCommits_seesOneState() throws Exception {
    Board board =
        Samples.create(
            store(), Samples.board(1, "b", Samples.season(0, "left"), Samples.season(1, "right")));
    long left = board.seasons().get(0).id();
    long right = board.seasons().get(1).id();
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(3);

    Callable<Integer> reader =
        () -> {
          int reads = 0;
          long before = 0;
          do {
            long now =
                store()
                    .read(
                        tx -> {
                          long l = score(tx.entries(left, new int[] {7}));
                          assertThat(score(tx.entries(right, new int[] {7}))).isEqualTo(l);
                          assertThat(tx.position(left)).isEqualTo(l);
                          assertThat(tx.position(right)).isEqualTo(l);
                          assertThat(tx.lines(board.shard(), 0, Long.MAX_VALUE, 1000))
                              .hasSize((int) l);
                          return l;
                        });
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
            reads++;
            reading.countDown();
          } while (!done.get());
          return reads;
        };

    try (var executor = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(executor.submit(reader));
      }
      try {
        reading.await();
        for (int i = 0; i < 100; i++) {
          store()
              .write(
                  tx -> {
                    long n = tx.lockShard(board.shard()) + 1;
                    tx.append(
                        board.shard(), List.of(Samples.line(board.shard(), n, board.id(), 7)));
                    tx.putEntries(List.of(new EntryWrite(left, 7, Samples.entry(n, 1))));
                    tx.moveSeasons(Map.of(left, n, right, n));
                    tx.putEntries(List.of(new EntryWrite(right, 7, Samples.entry(n, 1))));
                    return n;
                  });
        }
      } finally {
        done.set(true);
      }
      for (Future<Integer> result : readers) {
        assertThat(result.get()).isPositive();
      }
    }
    assertThat(position(left)).isEqualTo(100);
  }

  /** However many of one kind there are, each of the others is answered. */
  @ParameterizedTest
  @EnumSource(Store.Reading.class)
  default void read_allOfOneKindAreTaken_theOthersGoOn(Store.Reading kind) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> slow = new ArrayList<>();
      try {
        for (int i = 0; i < 30; i++) {
          slow.add(
              threads.submit(
                  () ->
                      store()
                          .<Long>read(
                              kind,
                              tx -> {
                                begun.countDown();
                                PipelineCases.awaitQuietly(end);
                                return tx.revision();
                              })));
        }
        PipelineCases.awaitQuietly(begun);
        for (Store.Reading other : Store.Reading.values()) {
          if (other != kind) {
            assertThat(store().<Long>read(other, tx -> tx.revision())).isNotNegative();
          }
        }
      } finally {
        end.countDown();
      }
      for (Future<Long> each : slow) {
        assertThat(each.get()).isNotNegative();
      }
    }
  }

  @Test
  default void write_manyThreads_eachSeesTheOneBefore() throws Exception {
    Board board = Samples.create(store(), Samples.board("b"));
    int threads = 4;
    long commits = 25;
    try (var executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int user = t + 1;
        writers.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < commits; i++) {
                    store()
                        .write(
                            tx -> {
                              long n = tx.lockShard(board.shard()) + 1;
                              tx.append(
                                  board.shard(),
                                  List.of(Samples.line(board.shard(), n, board.id(), user)));
                              return n;
                            });
                  }
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    assertThat(lastLine(board.shard())).isEqualTo(threads * commits);
  }

  @Test
  default void close_thenOpen_keepsEverything() {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.primary().id();
    long epoch = store().read(tx -> tx.epoch());
    int[] numbers = store().assignUsers(1, KnownUsers.NOBODY, List.of("ann", "bob"));
    write(
        tx -> {
          tx.append(
              board.shard(),
              List.of(
                  Samples.line(board.shard(), 1, board.id(), numbers[0]),
                  Samples.line(board.shard(), 2, board.id(), numbers[1])));
          tx.putEntries(List.of(new EntryWrite(season, numbers[1], Samples.entry(20, 2))));
          tx.moveSeasons(Map.of(season, 2L));
          tx.putIds(List.of(id(board.id())));
        });

    reopen()
        .read(
            tx -> {
              // What one process opens again may be a copy that was brought back.
              assertThat(tx.epoch() == epoch).isEqualTo(store().isShared());
              assertThat(tx.boardsSince(0))
                  .usingRecursiveFieldByFieldElementComparatorIgnoringFields("epoch")
                  .containsExactly(board);
              assertThat(tx.tenants()).hasSize(1);
              assertThat(tx.lines(board.shard(), 0, 2, 10)).hasSize(2);
              assertThat(tx.entries(season, numbers)).containsExactly(null, Samples.entry(20, 2));
              assertThat(tx.position(season)).isEqualTo(2);
              assertThat(tx.ids(List.of(id(board.id()).name()))).hasSize(1);
              return true;
            });
    assertThat(store().assignUsers(1, KnownUsers.NOBODY, List.of("cid", "bob")))
        .containsExactly(3, 2);
  }

  @Test
  default void read_afterClose_isUnavailable() {
    var closed = store();
    reopen();
    assertThatThrownBy(() -> closed.read(tx -> tx.epoch()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(closed::check).isInstanceOf(StoreUnavailableException.class);
    closed.close();
  }

  private static long score(List<@Nullable Entry> entries) {
    Entry entry = entries.getFirst();
    return entry == null ? 0 : entry.score();
  }

  private static StoredId id(long board) {
    return new StoredId(
        board, Digest.of("event", "1"), Digest.of("payload"), 1, true, 10, 1, 1, null);
  }
}
