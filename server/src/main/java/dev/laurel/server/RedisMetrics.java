package dev.laurel.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How Redis does, in the metrics and, where it fails, in the log. */
final class RedisMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(RedisMetrics.class);

  /** A server that is away would fill the log. */
  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DistributionSummary latency;
  private final Counter failures;
  private final AtomicLong logged = new AtomicLong(System.nanoTime() - LOG_NANOS);

  RedisMetrics(MeterRegistry registry) {
    latency =
        DistributionSummary.builder("redis_latency_ms")
            .description("Milliseconds until Redis answered a call")
            .serviceLevelObjectives(0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000)
            .register(registry);
    failures =
        Counter.builder("laurel.redis.failures")
            .description("Calls that Redis did not answer in time, or with an error")
            .register(registry);
  }

  void watch(MeterRegistry registry, BooleanSupplier broken, LongSupplier behind) {
    Gauge.builder("laurel.redis.breaker", broken, b -> b.getAsBoolean() ? 1 : 0)
        .description("1 while calls are refused because Redis does not answer")
        .register(registry);
    Gauge.builder("laurel.redis.behind", behind, LongSupplier::getAsLong)
        .description("Seasons whose reads come from the store until they have caught up")
        .register(registry);
  }

  void answered(long nanos) {
    latency.record(nanos / 1e6);
  }

  void failed(Throwable cause) {
    failures.increment();
    long now = System.nanoTime();
    long last = logged.get();
    if (now - last >= LOG_NANOS && logged.compareAndSet(last, now)) {
      LOG.atWarn()
          .addKeyValue("cause", cause.toString())
          .log("redis failed; reads go to the store");
    }
  }
}
