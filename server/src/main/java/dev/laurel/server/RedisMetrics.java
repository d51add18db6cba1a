package dev.laurel.server;

import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.SharedIndexObserver;
import dev.laurel.core.rank.StandInRankIndex;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How Redis does, in the metrics and, where it fails, in the log. */
final class RedisMetrics implements SharedIndexObserver {
  private static final Logger LOG = LoggerFactory.getLogger(RedisMetrics.class);

  /** A server that is away would fill the log. */
  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DistributionSummary latency;
  private final Counter failures;
  private final Counter applied;
  private final Counter behind;
  private final Counter retries;
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
    applied = writes(registry, "applied");
    behind = writes(registry, "behind");
    retries =
        new Meters(registry)
            .counter(
                "laurel.redis.catch.ups",
                "Attempts to bring a season in Redis to where the database is");
  }

  private static Counter writes(MeterRegistry registry, String outcome) {
    return Counter.builder("laurel.redis.writes")
        .description("Commits handed to Redis; a season that is behind has to catch up")
        .tag("outcome", outcome)
        .register(registry);
  }

  void watch(MeterRegistry registry, RankIndex index, StandInRankIndex standIns) {
    FunctionCounter.builder("laurel.redis.stand.ins", standIns, StandInRankIndex::reads)
        .description("Reads that this node's memory answered because Redis lacks the season")
        .register(registry);
    Meters meters = new Meters(registry);
    meters.gauge(
        "laurel.redis.breaker",
        "1 while calls are refused because Redis does not answer",
        () -> index.isDown() ? 1 : 0);
    meters.gauge(
        "laurel.redis.behind",
        "Seasons that Redis lacks, or has not as they are now",
        index::behind);
  }

  @Override
  public void wrote(boolean there) {
    (there ? applied : behind).increment();
  }

  @Override
  public void retried() {
    retries.increment();
  }

  @Override
  public void answered(long nanos) {
    latency.record(nanos / 1e6);
  }

  @Override
  public void failed(Throwable cause) {
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
