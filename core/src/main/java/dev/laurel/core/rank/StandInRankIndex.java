package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An index that nodes share, and this node's memory for what it lacks: a season that was lost there
 * takes a while to build, and without Redis there is none at all. Reads of such a season come from
 * memory meanwhile, as far as there is room ({@link IndexMemory}), instead of from the store, which
 * counts. A moment of absence is left to the store: loading a season takes longer.
 *
 * <p>The stand-in follows the ledger only while it is needed, and goes when it was not for a while.
 * It never shows an older state than this node has seen there. Thread-safe.
 */
public final class StandInRankIndex implements RankIndex {
  /** Shorter absences are not worth loading a season. */
  public static final Duration PATIENCE = Duration.ofMillis(250);

  /** What failed once may fail again. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private final SharedRankIndex shared;
  private final LocalRankIndex memory;
  private final Duration patience;
  private final LongSupplier nanos;

  private final LongAdder reads = new LongAdder();

  /** By season: when a reader was last sent to memory. */
  private final ConcurrentHashMap<Long, Long> needed = new ConcurrentHashMap<>();

  /**
   * @param memory with other seasons too; whoever made it closes it
   * @param patience how long a season must have been away before it is loaded
   */
  public StandInRankIndex(
      SharedRankIndex shared, LocalRankIndex memory, Duration patience, LongSupplier nanos) {
    this.shared = shared;
    this.memory = memory;
    this.patience = patience;
    this.nanos = nanos;
  }

  @Override
  public @Nullable Ranking ranking(Board board, Season season) {
    Ranking there = shared.ranking(board, season);
    return there != null ? there : standIn(board, season);
  }

  private @Nullable Ranking standIn(Board board, Season season) {
    if (!memory.isLoaded(season) && !shared.lacks(season, patience)) {
      return null;
    }
    needed.put(season.id(), nanos.getAsLong());
    Ranking here = memory.ranking(board, season);
    long heard = shared.heardOf(season);
    if (here != null && here.line() < heard) {
      memory.follow(board, season, heard);
      return null;
    }
    if (here != null) {
      reads.increment();
    }
    return here;
  }

  /** How often memory stood in for what is shared. */
  public long reads() {
    return reads.sum();
  }

  /** Only what is shared is checked: what stands in is read anew each time. */
  @Override
  public @Nullable Ranking original(Board board, Season season) {
    return shared.original(board, season);
  }

  /** Whether a stand-in has to be kept where the store is. */
  private boolean isNeeded(Season season) {
    return memory.isLoaded(season) && shared.lacks(season, Duration.ZERO);
  }

  @Override
  public long epoch() {
    return shared.epoch();
  }

  @Override
  public void enter(long epoch) {
    shared.enter(epoch);
    memory.enter(epoch);
  }

  @Override
  public void follow(Board board, Season season, long line) {
    shared.follow(board, season, line);
    if (isNeeded(season)) {
      memory.follow(board, season, line);
    }
  }

  /** Memory hears of all of them: also of those that it reads from an earlier snapshot now. */
  @Override
  public void follow(ReadTransaction tx, List<Moved> boards) {
    shared.follow(tx, boards);
    memory.follow(tx, boards);
  }

  @Override
  public void prepare(ReadTransaction tx, Board board, Season season, long line) {
    shared.prepare(tx, board, season, line);
    if (isNeeded(season)) {
      memory.prepare(tx, board, season, line);
    }
  }

  @Override
  public Draft draft(Board board, Season season, Step step, List<Change> changes) {
    Draft there = shared.draft(board, season, step, changes);
    Draft here = isNeeded(season) ? memory.draft(board, season, step, changes) : null;
    return new Draft() {
      @Override
      public @Nullable Ranking ranking() {
        Ranking own = here == null ? null : here.ranking();
        return own != null ? own : there.ranking();
      }

      @Override
      public void publish() {
        if (here == null) {
          // It may have been loaded since, from before the commit.
          memory.rest(board, season, step.to());
        } else {
          here.publish();
        }
        there.publish();
      }

      @Override
      public void awaitVisible() {
        there.awaitVisible();
      }
    };
  }

  @Override
  public void missed(Board board, Season season, long line) {
    memory.rest(board, season, line);
    shared.missed(board, season, line);
  }

  @Override
  public void catchUp(Board board, Season season) {
    shared.catchUp(board, season);
  }

  @Override
  public void rebuild(Board board, Season season) {
    shared.rebuild(board, season);
    if (memory.isLoaded(season)) {
      memory.rebuild(board, season);
    }
  }

  @Override
  public void renamed(Board board, Season season) {
    shared.renamed(board, season);
  }

  /** Also lets stand-ins go that nobody has needed for a while. */
  @Override
  public void keepOnly(LongPredicate listed) {
    shared.keepOnly(listed);
    long now = nanos.getAsLong();
    needed
        .entrySet()
        .removeIf(
            last -> {
              boolean idle = now - last.getValue() > KEPT.toNanos();
              if (idle) {
                memory.keepOnly(id -> id != last.getKey());
              }
              return idle;
            });
  }

  @Override
  public boolean isLoaded(Season season) {
    return shared.isLoaded(season);
  }

  @Override
  public long behind() {
    return shared.behind();
  }

  @Override
  public long loads() {
    return shared.loads();
  }

  @Override
  public int seasons() {
    return shared.seasons();
  }

  @Override
  public long size(Season season) {
    return shared.size(season);
  }

  @Override
  public long size() {
    return shared.size();
  }

  @Override
  public void check() {
    shared.check();
  }

  @Override
  public boolean isDown() {
    return shared.isDown();
  }

  @Override
  public void close() {
    shared.close();
  }
}
