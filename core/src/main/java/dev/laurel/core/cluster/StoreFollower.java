package dev.laurel.core.cluster;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows what other nodes commit to a shared store: the configuration by the revision, seasons in
 * memory by the lines of the shards. Looks when another node says something, and else four times a
 * second. A turn with nothing to do reads a few rows.
 */
public final class StoreFollower implements AutoCloseable, Vital {
  private static final Duration POLL = Duration.ofMillis(250);

  private final Store store;
  private final BoardDirectory directory;
  private final List<Runnable> configuration;
  private final RankIndex index;
  private final LongConsumer moved;
  private final Consumer<Throwable> onFailure;
  private final Thread thread;
  private volatile boolean closed;
  private State seen;

  /** When the last turn that knew everything began. */
  private volatile long level = System.nanoTime();

  /** An outage is reported once, not four times a second. */
  private boolean failing;

  /** Where the store was at one moment. */
  private record State(long epoch, long revision, long[] lines) {
    static State of(ReadTransaction tx) {
      return new State(tx.epoch(), tx.revision(), tx.lastLines());
    }
  }

  /** A later state, and the boards that lines were written about since, each with the last one. */
  private record Moved(State state, Map<Long, Long> boards) {}

  /**
   * Starts. What was committed before is left to those who load it later.
   *
   * @param configuration what to do when the revision has changed, beside the boards
   * @param moved hears of the boards that others have changed, by number
   */
  public StoreFollower(
      Store store,
      BoardDirectory directory,
      List<Runnable> configuration,
      RankIndex index,
      LongConsumer moved,
      Consumer<Throwable> onFailure) {
    this.store = store;
    this.directory = directory;
    this.configuration = List.copyOf(configuration);
    this.index = index;
    this.moved = moved;
    this.onFailure = onFailure;
    // The revision of before: keys may have been read before this.
    this.seen = store.read(tx -> new State(tx.epoch(), 0, tx.lastLines()));
    this.thread = Thread.ofPlatform().name("laurel-store-follower").daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      try {
        store.awaitHint(POLL);
        long begin = System.nanoTime();
        turn();
        level = begin;
        failing = false;
      } catch (InterruptedException e) {
        return;
      } catch (Throwable e) {
        if (!failing && !closed) {
          Failures.tell(onFailure, e);
        }
        failing = true;
        // Where not even a wait is possible.
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, closed);
  }

  /** How long ago this node last knew of everything that others had committed; any thread. */
  public long lagNanos() {
    return System.nanoTime() - level;
  }

  /** Takes over what is new; if something fails, the next turn begins at the same place. */
  private void turn() {
    Moved moved = store.read(this::look);
    State now = moved.state;
    if (now.revision != seen.revision) {
      configuration.forEach(Runnable::run);
    }
    index.enter(now.epoch);
    moved.boards.forEach(this::follow);
    seen = now;
  }

  private Moved look(ReadTransaction tx) {
    directory.follow(tx);
    State now = State.of(tx);
    Map<Long, Long> boards = new HashMap<>();
    // In a new epoch the lines may be others, and the index begins anew anyway.
    if (now.epoch == seen.epoch) {
      for (int shard = 0; shard < now.lines.length; shard++) {
        if (now.lines[shard] > seen.lines[shard]) {
          boards.putAll(tx.changedBoards(shard, seen.lines[shard], now.lines[shard]));
        }
      }
    }
    return new Moved(now, boards);
  }

  private void follow(long id, long line) {
    Board board = directory.find(id);
    if (board != null) {
      for (Season season : board.seasons()) {
        index.follow(board, season, line);
      }
      moved.accept(id);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
