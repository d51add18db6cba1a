package dev.laurel.core.lifecycle;

import dev.laurel.core.store.StoreUnavailableException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Does something to each of many, so that one that fails holds up itself alone: it is reported and
 * put off, longer each time, and the others have their turn. An outage of the store is nobody's own
 * and ends the turn, as the end of the process does. Thread-safe.
 *
 * @param <K> what names one of the many; its text is in the report
 */
public final class OneByOne<K> {
  private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(1);

  private final String what;
  private final LongSupplier nanos;
  private final Consumer<Throwable> onFailure;
  private final Map<K, Failing> failing = new ConcurrentHashMap<>();

  /** How often it has failed in a row, and when to try again. */
  private record Failing(int times, long retry) {}

  /**
   * @param what they are, in one word
   * @param nanos a clock that never jumps
   */
  public OneByOne(String what, LongSupplier nanos, Consumer<Throwable> onFailure) {
    this.what = what;
    this.nanos = nanos;
    this.onFailure = onFailure;
  }

  /** Not if it is put off. */
  public void run(K key, Runnable work) {
    Failing before = failing.get(key);
    if (before != null && nanos.getAsLong() - before.retry < 0) {
      return;
    }
    try {
      work.run();
      if (before != null) {
        failing.remove(key);
      }
    } catch (StoreUnavailableException | CancellationException | OutOfMemoryError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      putOff(key, before, e);
    }
  }

  private void putOff(K key, @Nullable Failing before, Throwable e) {
    int times = before == null ? 1 : before.times + 1;
    failing.put(key, new Failing(times, nanos.getAsLong() + pause(times)));
    onFailure.accept(new IllegalStateException(what + " " + key + ": " + e, e));
  }

  /** The first time none: the next turn is a second away, and most failures pass. */
  private static long pause(int times) {
    return times == 1
        ? 0
        : Math.min(LONGEST_PAUSE, TimeUnit.SECONDS.toNanos(1) << Math.min(times, 10));
  }
}
