package dev.laurel.core.hooks;

import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Delivery.State;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Webhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what is due and keeps how it went. A delivery is handed out under a lease: if whoever
 * took it dies before it said how it went, it is due again, here or on another node. So each is
 * sent at least once, and rarely twice. Blocking. Thread-safe.
 */
public final class Outgoing {
  public static final int MAX_TRIES = 12;

  /** Longer than a send may take; how long a delivery waits if whoever took it was killed. */
  static final Duration LEASE = Duration.ofSeconds(20);

  private static final long FIRST_PAUSE = Duration.ofSeconds(5).toMillis();
  private static final long LONGEST_PAUSE = Duration.ofHours(1).toMillis();

  private static final int FORGET_AT_ONCE = 500;
  private static final int MAX_ERROR = 200;

  private final Store store;
  private final long keptMillis;

  /**
   * @param keptMillis how long deliveries can be looked at and asked for again after they have
   *     ended
   */
  public Outgoing(Store store, long keptMillis) {
    this.store = store;
    this.keptMillis = keptMillis;
  }

  /** What to send, and where to. */
  public record Parcel(Delivery delivery, Webhook webhook) {}

  /** Takes at most {@code limit} due deliveries. Does not write if nothing is due. */
  public List<Parcel> take(int limit) {
    if (store.read(tx -> tx.outbox().due(State.PENDING, tx.now(), 1)).isEmpty()) {
      return List.of();
    }
    return store.write(
        tx -> {
          List<Parcel> taken = new ArrayList<>();
          Outbox outbox = tx.outbox();
          for (Delivery delivery : outbox.due(State.PENDING, tx.now(), limit)) {
            Webhook webhook = outbox.webhook(delivery.webhook());
            if (webhook != null && outbox.claim(delivery, tx.now() + LEASE.toMillis())) {
              taken.add(new Parcel(delivery, webhook));
            }
          }
          return taken;
        });
  }

  /**
   * Keeps an attempt.
   *
   * @param status what the receiver answered, null if it did not, for the reason in {@code error}
   * @return what became of the delivery by it
   */
  public State sent(
      Delivery delivery, long at, long millis, @Nullable Integer status, @Nullable String error) {
    boolean delivered = status != null && status >= 200 && status < 300;
    int tries = delivery.tries() + 1;
    State state = delivered ? State.DELIVERED : tries >= MAX_TRIES ? State.FAILED : State.PENDING;
    String shown =
        error == null || error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR);
    store.write(
        tx -> {
          long next =
              state == State.PENDING
                  ? pause(tries, ThreadLocalRandom.current().nextDouble())
                  : keptMillis;
          long now = tx.now();
          tx.outbox()
              .record(
                  delivery.id(),
                  new Delivery.Attempt(0, at, millis, status, shown),
                  state,
                  next > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + next);
          return true;
        });
    return state;
  }

  /**
   * How long to wait after so many tries: 5 s, 10 s, ... 1 h, each shortened by up to a quarter, so
   * that what failed together does not come back together.
   *
   * @param random in [0, 1)
   */
  static long pause(int tries, double random) {
    long full = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(tries - 1, 20));
    return full - (long) (random * full / 4);
  }

  /**
   * Removes deliveries that ended long ago, however many they are: payloads name users. Some at a
   * time, so that nobody waits long for the store.
   *
   * @param stop asked in between
   */
  public void forget(BooleanSupplier stop) {
    for (State state : List.of(State.DELIVERED, State.FAILED)) {
      while (!stop.getAsBoolean()
          && !store.read(tx -> tx.outbox().due(state, tx.now(), 1)).isEmpty()) {
        store.write(tx -> tx.outbox().forget(state, tx.now(), FORGET_AT_ONCE));
      }
    }
  }
}
