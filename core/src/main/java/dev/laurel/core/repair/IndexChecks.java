package dev.laurel.core.repair;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Store;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Checks and rebuilds of seasons on this node. What is found wrong goes to the {@link RepairQueue}.
 * Blocking. Thread-safe.
 */
public final class IndexChecks {
  private final Store store;
  private final RankIndex index;
  private final Users users;
  private final RepairQueue queue;
  private final InstantSource clock;
  private final Consumer<String> onDrift;
  private final LongAdder compared = new LongAdder();
  private final LongAdder drifts = new LongAdder();
  private volatile long lastCheck;

  /**
   * @param onDrift told what is wrong, in words
   */
  public IndexChecks(
      Store store,
      RankIndex index,
      Users users,
      RepairQueue queue,
      InstantSource clock,
      Consumer<String> onDrift) {
    this.store = store;
    this.index = index;
    this.users = users;
    this.queue = queue;
    this.clock = clock;
    this.onDrift = onDrift;
  }

  /** Compares all of a season that is loaded here. */
  public Checked check(Board board, Season season, Progress progress) {
    if (!index.isLoaded(season)) {
      return new Checked.NotLoaded();
    }
    SeasonCheck check = new SeasonCheck(store, index, users, board, season);
    Checked result = noted(board, season, check, check.all(progress));
    if (result instanceof Checked.Equal) {
      queue.right(season);
    }
    return result;
  }

  /** Compares some users of a season that is loaded here. */
  Checked check(Board board, Season season, int[] who) {
    if (!index.isLoaded(season)) {
      return new Checked.NotLoaded();
    }
    SeasonCheck check = new SeasonCheck(store, index, users, board, season);
    return noted(board, season, check, check.some(who));
  }

  /** The same, of a season that is loaded first if it is not. */
  public Checked verify(Board board, Season season, Progress progress) {
    index.catchUp(board, season);
    return check(board, season, progress);
  }

  /** Builds it anew, and compares. */
  public Checked rebuild(Board board, Season season, Progress progress) {
    index.rebuild(board, season);
    return check(board, season, progress);
  }

  private Checked noted(Board board, Season season, SeasonCheck check, Checked result) {
    compared.add(check.compared());
    lastCheck = clock.millis();
    switch (result) {
      case Checked.Drift drift -> {
        drifts.increment();
        String problem = describe(drift);
        queue.wrong(board, season, problem);
        onDrift.accept("season " + season.label() + ": " + problem);
      }
      case Checked.NoAnswer(var why) -> queue.wrong(board, season, why);
      case Checked.Equal _, Checked.NotLoaded _ -> {}
    }
    return result;
  }

  /** In words, without a name: it goes to the log. */
  private static String describe(Checked.Drift drift) {
    Difference first = drift.first();
    return "the index differs from the store: "
        + (first == null
            ? drift.index().count() + " entries (expected: " + drift.store().count() + ")"
            : switch (first.kind()) {
              case MISSING -> "an entry is missing";
              case SURPLUS -> "an entry is not in the store";
              case CHANGED -> "an entry has another score or time";
              case MISPLACED -> "an entry is at the wrong place";
            });
  }

  /** Entries compared since the start. */
  public long compared() {
    return compared.sum();
  }

  /** How often a season was found to differ since the start. */
  public long drifts() {
    return drifts.sum();
  }

  /** When the last season was compared, epoch milliseconds; 0 if none was since the start. */
  public long lastCheck() {
    return lastCheck;
  }
}
