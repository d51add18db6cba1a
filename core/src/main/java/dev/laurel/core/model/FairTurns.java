package dev.laurel.core.model;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Turns at something that few may do at once. Those who wait are served tenant by tenant: whoever
 * waits behind many of another tenant waits for one of them, not for all. Thread-safe.
 */
public final class FairTurns {
  private final int mostWaiting;
  private final int mostWaitingOfATenant;

  /** By tenant, the one whose turn is next first; none is empty. */
  private final Map<Long, ArrayDeque<Semaphore>> queues = new LinkedHashMap<>();

  private int free;
  private int waiting;

  /** Waits until a permit is there; false if it was not in time. */
  @FunctionalInterface
  public interface Patience {
    boolean await(Semaphore turn);
  }

  /**
   * @param atOnce how many may have a turn
   */
  public FairTurns(int atOnce, int mostWaiting, int mostWaitingOfATenant) {
    this.free = atOnce;
    this.mostWaiting = mostWaiting;
    this.mostWaitingOfATenant = mostWaitingOfATenant;
  }

  /**
   * {@link #give} is due after true, and only then. Whatever the wait throws, the turn is not lost.
   */
  public boolean take(long tenant, Patience patience) {
    Semaphore turn;
    synchronized (this) {
      if (takeIfFree()) {
        return true;
      }
      ArrayDeque<Semaphore> queue = queues.computeIfAbsent(tenant, _ -> new ArrayDeque<>());
      if (waiting >= mostWaiting || queue.size() >= mostWaitingOfATenant) {
        if (queue.isEmpty()) {
          queues.remove(tenant);
        }
        return false;
      }
      turn = new Semaphore(0);
      queue.add(turn);
      waiting++;
    }
    boolean mine = false;
    try {
      mine = patience.await(turn);
      return mine;
    } finally {
      if (!mine) {
        leave(tenant, turn);
      }
    }
  }

  /** Without a wait, and not before those who wait. */
  public synchronized boolean takeIfFree() {
    if (free == 0) {
      return false;
    }
    free--;
    return true;
  }

  public synchronized void give() {
    Iterator<Map.Entry<Long, ArrayDeque<Semaphore>>> tenants = queues.entrySet().iterator();
    if (!tenants.hasNext()) {
      free++;
      return;
    }
    Map.Entry<Long, ArrayDeque<Semaphore>> next = tenants.next();
    tenants.remove();
    ArrayDeque<Semaphore> queue = next.getValue();
    waiting--;
    queue.remove().release();
    if (!queue.isEmpty()) {
      queues.put(next.getKey(), queue);
    }
  }

  private synchronized void leave(long tenant, Semaphore turn) {
    ArrayDeque<Semaphore> queue = queues.get(tenant);
    if (queue != null && queue.remove(turn)) {
      waiting--;
      if (queue.isEmpty()) {
        queues.remove(tenant);
      }
    } else {
      give(); // it was given the turn at this moment
    }
  }

  public synchronized int waiting() {
    return waiting;
  }
}
