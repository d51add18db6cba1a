package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the process is short of memory. What is in use right after a collection is what somebody
 * holds; if that is nearly all of the heap, the next large thing would end the process for
 * everyone. So large and unknown callers are told to come back before that. Thread-safe.
 *
 * <p>A reading is believed for a few seconds only: without anybody who allocates there is no next
 * collection, and nobody would ever be let in again.
 */
public final class HeapPressure {
  private static final Logger LOG = LoggerFactory.getLogger(HeapPressure.class);
  private static final double TIGHT = 0.90;
  private static final double ENOUGH = 0.80;
  private static final long BELIEVED_NANOS = Duration.ofSeconds(5).toNanos();
  private static final String RETRY_SECONDS = "5";

  private final LongSupplier nanoTime;
  private final LongAdder shed = new LongAdder();
  private volatile boolean tight;
  private volatile long readAt;
  private volatile long usedAfter;

  public HeapPressure(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A collection has ended; so much of the heap is still in use. */
  public synchronized void collected(long used, long max) {
    readAt = nanoTime.getAsLong();
    usedAfter = used;
    if (max <= 0) {
      return;
    }
    if (!tight && used > TIGHT * max) {
      tight = true;
      LOG.atWarn()
          .addKeyValue("usedMegabytes", used >> 20)
          .addKeyValue("heapMegabytes", max >> 20)
          .log(
              "memory is short: large requests and those of strangers get 503 OVERLOADED; give the"
                  + " server more heap (docs/capacity.md)");
    } else if (tight && used < ENOUGH * max) {
      tight = false;
      LOG.atInfo()
          .addKeyValue("usedMegabytes", used >> 20)
          .addKeyValue("shed", shed.sum())
          .log("memory is enough again");
    }
  }

  /** Never blocks. */
  public boolean isTight() {
    return tight && nanoTime.getAsLong() - readAt < BELIEVED_NANOS;
  }

  /** What was in use after the last collection. */
  public long usedAfterCollection() {
    return usedAfter;
  }

  /** How many requests were refused for it. */
  public long shed() {
    return shed.sum();
  }

  /** Refuses the request: it is counted, and hears when to come back. */
  RuntimeException refuse(Exchange exchange) {
    shed.increment();
    exchange.header(AnswerWriter.RETRY_AFTER, RETRY_SECONDS);
    return Rejection.of(ErrorCode.OVERLOADED, "memory is short: try again later").asException();
  }
}
