package dev.laurel.core.repair;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Looks by the clock whether the index of this node is right, and mends what is not. Every few
 * minutes it compares the entries that were written to lately, once a night all of them; what is in
 * the repair queue is tried at each turn. For one thread.
 */
public final class CheckJob {
  /** The hour of a nightly check that is switched off. */
  public static final int NEVER = -1;

  private final Store store;
  private final BoardDirectory directory;
  private final RankIndex index;
  private final IndexChecks checks;
  private final RepairQueue queue;
  private final InstantSource clock;
  private final Times times;
  private final OneByOne<Long> each;

  private long checkedAt;
  private LocalDate night;

  /** Where the store was at the last check and at the one before. */
  private Lines last;

  private Lines beforeLast;

  /**
   * When to look.
   *
   * @param every milliseconds between two checks of what was written; Long.MAX_VALUE for never
   * @param hour of the nightly check, 0..23 in UTC; {@link #NEVER}
   */
  public record Times(long every, int hour) {}

  private record Lines(long epoch, long[] lines) {
    static Lines of(ReadTransaction tx) {
      return new Lines(tx.epoch(), tx.lastLines());
    }
  }

  /**
   * @param each goes through boards
   */
  public CheckJob(
      Store store,
      BoardDirectory directory,
      RankIndex index,
      IndexChecks checks,
      RepairQueue queue,
      InstantSource clock,
      Times times,
      OneByOne<Long> each) {
    this.store = store;
    this.directory = directory;
    this.index = index;
    this.checks = checks;
    this.queue = queue;
    this.clock = clock;
    this.times = times;
    this.each = each;
    this.checkedAt = clock.millis();
    this.night = lastNight();
    this.last = store.read(Lines::of);
    this.beforeLast = last;
  }

  /** Does what is due. Blocks. */
  public void turn(BooleanSupplier stop) {
    try {
      if (clock.millis() - checkedAt >= times.every) {
        checkedAt = clock.millis();
        checkWritten(stop);
      }
      if (times.hour != NEVER && night.isBefore(lastNight())) {
        night = lastNight();
        checkAll(stop);
      }
      queue.takeDue().forEach(item -> repair(item, stop));
    } catch (CancellationException e) {
      // The server is stopping.
    }
  }

  /** The day of the last nightly check that was due. */
  private LocalDate lastNight() {
    LocalDateTime now =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(clock.millis()), ZoneOffset.UTC);
    return now.getHour() >= times.hour ? now.toLocalDate() : now.toLocalDate().minusDays(1);
  }

  /** What was written since the check before the last: so everything is met twice. */
  private void checkWritten(BooleanSupplier stop) {
    Lines now = store.read(Lines::of);
    Lines from = beforeLast;
    beforeLast = last;
    last = now;
    if (from.epoch != now.epoch) {
      return; // other lines, and the index begins anew
    }
    for (int shard = 0; shard < now.lines.length; shard++) {
      long after = from.lines[shard];
      long upTo = now.lines[shard];
      for (long id : changedBoards(shard, after, upTo).keySet()) {
        Board board = directory.find(id);
        if (board != null) {
          each.run(id, () -> checkWritten(board, after, upTo, stop));
        }
      }
    }
  }

  private Map<Long, Long> changedBoards(int shard, long after, long upTo) {
    return upTo <= after ? Map.of() : store.read(tx -> tx.changedBoards(shard, after, upTo));
  }

  private void checkWritten(Board board, long after, long upTo, BooleanSupplier stop) {
    int[] written = store.read(tx -> tx.changedUsers(board.shard(), board.id(), after, upTo));
    for (Season season : board.seasons()) {
      giveWay(stop);
      if (!season.status().isAway()) {
        checks.check(board, season, written);
      }
    }
  }

  private void checkAll(BooleanSupplier stop) {
    for (Board board : directory.all()) {
      each.run(board.id(), () -> checkAll(board, stop));
    }
  }

  private void checkAll(Board board, BooleanSupplier stop) {
    for (Season season : board.seasons()) {
      giveWay(stop);
      if (!season.status().isAway()) {
        checks.check(board, season, (_, _) -> giveWay(stop));
      }
    }
  }

  /** By the way that live traffic takes; if it was in vain, it is tried again later. */
  private void repair(RepairQueue.Item item, BooleanSupplier stop) {
    giveWay(stop);
    Board board = directory.find(item.season().board());
    boolean rebuild = item.kind() == RepairQueue.Kind.REBUILD;
    if (board == null
        || board.epoch() != item.board().epoch()
        || (rebuild && !index.isLoaded(item.season()))) {
      queue.right(item.season()); // gone, or unloaded: whoever reads it next loads it
      return;
    }
    try {
      if (rebuild) {
        checks.rebuild(board, item.season(), (_, _) -> giveWay(stop));
      } else {
        index.catchUp(board, item.season());
      }
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      queue.failed(board, item.season(), e);
    }
  }

  private static void giveWay(BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      throw new CancellationException();
    }
  }
}
