package dev.laurel.core.model;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes of the heap something may hold at once. Whoever wants to hold more asks first, and
 * is refused where the process would otherwise run out of memory. Thread-safe.
 *
 * <p>One holder may always go on while nobody else holds anything: what is larger than the whole
 * budget would else be refused for ever, and not only while the server is busy.
 */
public final class ByteBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  public ByteBudget(long limit) {
    this.limit = limit;
  }

  /** False if there is no room; {@link #give} is due only after true. */
  public boolean take(long bytes) {
    return take(bytes, 0);
  }

  /**
   * @param held what the same holder has taken before
   */
  public boolean take(long bytes, long held) {
    long before = used.getAndAdd(bytes);
    if (before > held && before + bytes > limit) {
      used.addAndGet(-bytes);
      refused.increment();
      return false;
    }
    return true;
  }

  public void give(long bytes) {
    used.addAndGet(-bytes);
  }

  public long used() {
    return used.get();
  }

  public long limit() {
    return limit;
  }

  /** How often it said no. */
  public long refused() {
    return refused.sum();
  }
}
