package dev.laurel.core.model;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Something of which there is only so much, shared by tenants. A tenant may have as long as it has
 * at most eight times what is still free: alone it gets eight ninths, two get eight seventeenths
 * each, and somebody who comes when others have all they may still finds some. Nothing is set
 * aside, and nobody has to say how many tenants there are. Thread-safe.
 *
 * <p>(The rule by which switches share the memory of their ports: Choudhury and Hahne, Dynamic
 * Queue Length Thresholds, 1998.)
 */
public final class FairShares {
  /** Stands for callers who belong to no tenant that is known. */
  public static final long STRANGERS = -1;

  private static final long TIMES_THE_FREE = 8;

  /**
   * How many tenants are remembered who have nothing at the moment. Most come again in no time, and
   * a map that forgets and learns them each time takes a lock that all who share would wait for.
   */
  private static final int IDLE_TENANTS = 64;

  /** What a tenant has who was forgotten; whoever finds it looks again. */
  private static final long FORGOTTEN = Long.MIN_VALUE;

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<Long, AtomicLong> byTenant = new ConcurrentHashMap<>();

  public FairShares(long limit) {
    this.limit = limit;
  }

  /**
   * False if there is no room for the tenant; {@link #give} is due only after true. Who finds all
   * of it free may have any amount: what is larger than all would else be refused for ever.
   */
  public boolean take(long tenant, long amount) {
    return take(tenant, amount, 0);
  }

  /**
   * @param held what the same holder has taken before
   */
  public boolean take(long tenant, long amount, long held) {
    long before = used.getAndAdd(amount);
    long own = add(tenant, amount);
    boolean fits = before + amount <= limit && own <= TIMES_THE_FREE * (limit - before);
    if (before <= held || fits) {
      return true;
    }
    give(tenant, amount);
    return false;
  }

  /** What the tenant has then. */
  private long add(long tenant, long amount) {
    while (true) {
      AtomicLong share = byTenant.get(tenant);
      if (share == null) {
        share = byTenant.computeIfAbsent(tenant, _ -> new AtomicLong());
      }
      long has = share.get();
      while (has != FORGOTTEN) {
        if (share.compareAndSet(has, has + amount)) {
          return has + amount;
        }
        has = share.get();
      }
      byTenant.remove(tenant, share);
    }
  }

  public void give(long tenant, long amount) {
    used.addAndGet(-amount);
    AtomicLong share = byTenant.get(tenant);
    if (share != null
        && share.addAndGet(-amount) == 0
        && byTenant.size() > IDLE_TENANTS
        && share.compareAndSet(0, FORGOTTEN)) {
      byTenant.remove(tenant, share);
    }
  }

  /** How many tenants are remembered. */
  int tenants() {
    return byTenant.size();
  }

  public long used() {
    return used.get();
  }
}
