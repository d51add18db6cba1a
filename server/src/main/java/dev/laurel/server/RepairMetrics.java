package dev.laurel.server;

import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.repair.IndexChecks;
import dev.laurel.core.repair.RepairQueue;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the index is what the store says, in the metrics and, where it is not, in the log. */
final class RepairMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(RepairMetrics.class);

  private RepairMetrics() {}

  static void watch(
      MeterRegistry registry, IndexChecks checks, RepairQueue queue, RankIndex index) {
    FunctionCounter.builder("laurel.drift.seasons", checks, IndexChecks::drifts)
        .description("How often a season's index was found to differ from the store")
        .register(registry);
    FunctionCounter.builder("laurel.check.entries", checks, IndexChecks::compared)
        .description("Entries of the index that were compared with the store")
        .register(registry);
    Gauge.builder("laurel.check.last", checks, c -> c.lastCheck() / 1e3)
        .description("When a season was last compared, as Unix time; 0 if none was since the start")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("laurel.repairs", queue, RepairQueue::size)
        .description("Seasons whose index is wrong or could not catch up")
        .register(registry);
    Gauge.builder("laurel.index.behind", index, RankIndex::behind)
        .description("Seasons whose reads come from the store until they have caught up")
        .register(registry);
  }

  static void watchFollower(MeterRegistry registry, LongSupplier lagNanos) {
    Gauge.builder("laurel.follower.lag", lagNanos, nanos -> nanos.getAsLong() / 1e9)
        .description("How long ago this node last knew of all that other nodes had committed")
        .baseUnit("seconds")
        // Nobody else holds the supplier, and a gauge alone would let it go.
        .strongReference(true)
        .register(registry);
  }

  static void drifted(String problem) {
    LOG.atWarn().addKeyValue("problem", problem).log("an index has drifted; it is built anew");
  }

  static void failed(Throwable cause) {
    LOG.atError().setCause(cause).log("a check failed; it is tried again");
  }
}
