package dev.laurel.server.hooks;

import dev.laurel.core.hooks.Outgoing;
import dev.laurel.core.hooks.Outgoing.Parcel;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import dev.laurel.server.outbound.OutboundClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that looks for due deliveries about once a second and sends each on a virtual thread
 * of its own, outside of any transaction. {@link Outgoing} says to whom how many may be on their
 * way, so that a receiver that does not answer holds up nobody else. A turn with nothing to do is
 * one look at an index.
 */
public final class WebhookSender implements AutoCloseable, Vital {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
  private static final long PAUSE_MILLIS = 1000;
  private static final long SHORTEST_PAUSE_MILLIS = 10;

  private final Outgoing outgoing;
  private final HookClient client;
  private final InstantSource clock;
  private final MeterRegistry registry;

  /** Has a permit if something has come to its end since it was last looked. */
  private final Semaphore ended = new Semaphore(0);

  private final ExecutorService sends = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Whether something that is due has to wait; of the thread. */
  private boolean someWait;

  /** Starts. */
  public WebhookSender(
      Outgoing outgoing, OutboundClient client, InstantSource clock, MeterRegistry registry) {
    this.outgoing = outgoing;
    this.client = new HookClient(client);
    this.clock = clock;
    this.registry = registry;
    for (Delivery.State state : Delivery.State.values()) {
      var _ = attempts(state);
    }
    // A platform thread: SQLite's native calls would pin the carrier of a virtual one.
    this.thread = Thread.ofPlatform().name("laurel-webhooks").daemon().start(this::run);
  }

  private Counter attempts(Delivery.State state) {
    String outcome =
        state == Delivery.State.PENDING ? "retry" : state.name().toLowerCase(Locale.ROOT);
    return Counter.builder("laurel.webhook.attempts")
        .description("Attempts to send a webhook, by what became of the delivery")
        .tag("outcome", outcome)
        .register(registry);
  }

  private void run() {
    try {
      do {
        Failures.survive(
            this::sendDue,
            e ->
                LOG.atWarn()
                    .setCause(e)
                    .log("webhooks could not be read; tried again in a second"));
      } while (!isClosedAfterAPause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It ends early if somebody waits for a hand and one is free. */
  private boolean isClosedAfterAPause() throws InterruptedException {
    if (!someWait) {
      return closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    var _ = ended.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    // Those that end together are one reason to look.
    return closed.await(SHORTEST_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public @Nullable String lost() {
    return Vital.lost(thread, closed.getCount() == 0);
  }

  /** Until nothing is due, or what is due has to wait for what is on its way. */
  private void sendDue() {
    someWait = false;
    while (closed.getCount() > 0) {
      ended.drainPermits();
      Outgoing.Taken taken = outgoing.take();
      taken.parcels().forEach(parcel -> sends.execute(() -> send(parcel)));
      if (taken.parcels().isEmpty() || taken.more()) {
        someWait = taken.more();
        return;
      }
    }
  }

  private void send(Parcel parcel) {
    long begin = System.nanoTime();
    try {
      long at = clock.millis();
      HookClient.Result result = client.post(parcel, at / 1000);
      long millis = since(begin);
      // What was cut off by our own end says nothing of the receiver; it is due after the lease.
      if (closed.getCount() > 0 || result.status() != null) {
        attempts(outgoing.sent(parcel.delivery(), at, millis, result.status(), result.error()))
            .increment();
      }
    } catch (StoreException e) {
      LOG.atWarn()
          .addKeyValue("delivery", parcel.delivery().id())
          .setCause(e)
          .log("an attempt could not be recorded; the delivery is sent again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      outgoing.ended(parcel, since(begin));
      ended.release();
    }
  }

  private static long since(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** Does not wait for receivers. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
      sends.shutdownNow();
      if (!sends.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("a webhook is still being sent");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
