package dev.laurel.core.lifecycle;

import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the archiver's work goes, for whoever watches: it is lost with the process, the work is not.
 * Thread-safe.
 */
public final class ArchiveProgress {
  /** Before a season that failed is tried again: whatever is wrong rarely mends in a second. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

  private final Map<Long, State> states = new ConcurrentHashMap<>();
  private final Map<SeasonStatus, LongAdder> finished = new ConcurrentHashMap<>();
  private final LongAdder failures = new LongAdder();
  private volatile int waiting;
  private final LongSupplier nanos;
  private final Consumer<Throwable> onFailure;

  /**
   * @param nanos a clock that never jumps
   */
  public ArchiveProgress(LongSupplier nanos, Consumer<Throwable> onFailure) {
    this.nanos = nanos;
    this.onFailure = onFailure;
  }

  /**
   * Of one season.
   *
   * @param done of {@code total} rows
   * @param problem why the last attempt failed; null if it did not
   */
  public record State(long done, long total, @Nullable String problem, long retryNanos) {}

  /** Null if nothing is being done to the season. */
  public @Nullable State of(Season season) {
    return states.get(season.id());
  }

  /** How many seasons were led out of this status since the start. */
  public long finished(SeasonStatus from) {
    LongAdder count = finished.get(from);
    return count == null ? 0 : count.sum();
  }

  public long failures() {
    return failures.sum();
  }

  /** How many seasons, up to a hundred, are due to be purged and wait for the archive's proof. */
  public int waiting() {
    return waiting;
  }

  void waiting(int seasons) {
    waiting = seasons;
  }

  void begin(Season season, long total) {
    states.put(season.id(), new State(0, total, null, 0));
  }

  void at(Season season, long done) {
    states.computeIfPresent(season.id(), (_, s) -> new State(done, s.total, null, 0));
  }

  void done(Season season, SeasonStatus from) {
    states.remove(season.id());
    finished.computeIfAbsent(from, _ -> new LongAdder()).increment();
  }

  void stopped(Season season) {
    states.remove(season.id());
  }

  void failed(Season season, Throwable cause) {
    failures.increment();
    String problem = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    states.put(season.id(), new State(0, 0, problem, nanos.getAsLong() + PAUSE_NANOS));
    onFailure.accept(cause);
  }

  boolean isPutOff(Season season) {
    State state = states.get(season.id());
    return state != null && isPutOff(state);
  }

  private boolean isPutOff(State state) {
    return state.problem != null && nanos.getAsLong() - state.retryNanos < 0;
  }

  /** How many are. */
  int putOff() {
    return (int) states.values().stream().filter(this::isPutOff).count();
  }

  /** Somebody asks for it now. */
  void retry(Season season) {
    states.remove(season.id());
  }
}
