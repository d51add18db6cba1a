package dev.laurel.core.hooks;

import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Delivery.State;
import dev.laurel.core.store.OutboxReads;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Webhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what is due and keeps how it went. A delivery is handed out under a lease: if whoever
 * took it dies before it said how it went, it is due again, here or on another node. So each is
 * sent at least once, and rarely twice. Blocking. Thread-safe, but for {@link #take}, which belongs
 * to one thread.
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
  private final InFlight inFlight = new InFlight();

  /** Of the thread that takes. */
  private int turn;

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

  /**
   * What was taken.
   *
   * @param more whether something that is due had to wait for what is on its way
   */
  public record Taken(List<Parcel> parcels, boolean more) {}

  /**
   * Takes due deliveries, of each webhook as many as may be on their way. Does not write if nothing
   * is due. Each is to be given back by {@link #ended}.
   */
  public Taken take() {
    if (store.read(tx -> tx.outbox().due(State.PENDING, tx.now(), 1)).isEmpty()) {
      return new Taken(List.of(), false);
    }
    Taken chosen = store.read(tx -> choose(tx.outbox(), tx.now()));
    if (chosen.parcels.isEmpty()) {
      return chosen;
    }
    List<Parcel> claimed =
        store.write(
            tx -> {
              List<Parcel> own = new ArrayList<>();
              for (Parcel parcel : chosen.parcels) {
                if (tx.outbox().claim(parcel.delivery, tx.now() + LEASE.toMillis())) {
                  own.add(parcel);
                }
              }
              return own;
            });
    claimed.forEach(parcel -> inFlight.begin(parcel.webhook));
    return new Taken(claimed, chosen.more);
  }

  private Taken choose(OutboxReads outbox, long now) {
    InFlight.Choice choice = inFlight.choose();
    List<Parcel> parcels = new ArrayList<>();
    boolean more = false;
    List<Webhook> waiting = new ArrayList<>(outbox.withDue(now));
    // If there is not enough for all, each of them is the first one now and then.
    Collections.rotate(waiting, turn++);
    for (Webhook webhook : waiting) {
      int room = choice.room(webhook);
      List<Delivery> due = room == 0 ? List.of() : outbox.dueOf(webhook.id(), now, room);
      choice.take(webhook, due.size());
      due.forEach(delivery -> parcels.add(new Parcel(delivery, webhook)));
      more |= due.size() == room;
    }
    // In one order for all nodes, or two that claim the same would wait for each other.
    parcels.sort(Comparator.comparing(parcel -> parcel.delivery.id()));
    return new Taken(parcels, more);
  }

  /** It is not on its way any more, whatever came of it. */
  public void ended(Parcel parcel, long millis) {
    inFlight.end(parcel.webhook, millis);
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
          long now = tx.now();
          long next =
              state == State.PENDING
                  ? now + pause(tries, ThreadLocalRandom.current().nextDouble())
                  : end(now);
          tx.outbox()
              .record(
                  delivery.id(), new Delivery.Attempt(0, at, millis, status, shown), state, next);
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
    for (State state : List.of(State.DELIVERED, State.FAILED, State.CANCELLED, State.PAUSED)) {
      while (!stop.getAsBoolean()
          && !store.read(tx -> tx.outbox().due(state, horizon(state, tx.now()), 1)).isEmpty()) {
        store.write(tx -> tx.outbox().forget(state, horizon(state, tx.now()), FORGET_AT_ONCE));
      }
    }
    if (!stop.getAsBoolean()) {
      store.write(
          tx -> {
            tx.outbox().tidyRemoved(tx.now());
            return true;
          });
    }
  }

  /** What nobody tried to send in the end has another time: when that was decided. */
  private long horizon(State state, long now) {
    boolean untried = state == State.PAUSED || state == State.CANCELLED;
    return untried ? now - Math.min(now, keptMillis) : now;
  }

  private long end(long now) {
    return keptMillis > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + keptMillis;
  }
}
