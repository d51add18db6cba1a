package dev.laurel.server;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.pipeline.PipelineObserver;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.GuardRule;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the pipeline and the index do, in the metrics and, where it fails, in the log. */
final class PipelineMetrics implements PipelineObserver {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineMetrics.class);

  /** More boards than that would make a scrape longer than anyone reads. */
  private static final int LABELLED_BOARDS = 1000;

  private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final AtomicLong crowdedSaid = new AtomicLong();
  private final DistributionSummary storeLatency;
  private final DistributionSummary batchLines;
  private final DistributionSummary batchRequests;
  private final Counter lines;
  private final Counter failures;
  private final Counter indexFailures;
  private final Counter seasonFailures;
  private final MultiGauge entries;

  private final MeterRegistry registry;

  PipelineMetrics(MeterRegistry registry) {
    this.registry = registry;
    Meters meters = new Meters(registry);
    storeLatency =
        meters.summary(
            "db_latency_ms",
            "Milliseconds from taking a batch to its being durable and visible",
            1,
            2,
            5,
            10,
            20,
            50,
            100,
            250,
            500,
            1000,
            5000);
    batchLines =
        meters.summary(
            "laurel.commit.batch.lines", "Ledger lines a commit", 1, 4, 16, 64, 256, 1024, 4096);
    batchRequests =
        meters.summary(
            "laurel.commit.batch.requests", "Requests a commit", 1, 4, 16, 64, 256, 1024, 4096);
    lines = meters.counter("laurel.ledger.lines", "Ledger lines since the start");
    failures = meters.counter("laurel.store.failures", "Batches that the store did not take");
    indexFailures =
        meters.counter("laurel.index.failures", "Seasons that could not catch up with the store");
    seasonFailures =
        meters.counter("laurel.season.failures", "Turns of the season scheduler that failed");
    entries =
        meters.gauges("laurel.board.entries", "Entries a board, where its index is in memory");
  }

  void watch(
      MeterRegistry registry, ScorePipeline pipeline, RankIndex index, ArchiveProgress archive) {
    archived(registry, archive, "archived", SeasonStatus.FINAL, SeasonStatus.ARCHIVING);
    archived(registry, archive, "purged", SeasonStatus.PURGING);
    archived(registry, archive, "restored", SeasonStatus.RESTORING);
    FunctionCounter.builder("laurel.archive.failures", archive, ArchiveProgress::failures)
        .description("Seasons that the archive did not take or give; each is tried again")
        .register(registry);
    Meters meters = new Meters(registry);
    meters.gauge("laurel.queue.lines", "Submissions that wait for a commit", pipeline::waiting);
    meters.gauge(
        "laurel.queue.bytes",
        "Memory of submissions that wait or are being committed",
        pipeline::waitingBytes);
    meters.gauge("laurel.index.entries", "Entries in memory", index::size);
    meters.gauge(
        "laurel.index.loads", "Seasons built from their entries since the start", index::loads);
  }

  /** Threads that have ended and should not have. */
  void watchThreads(Supplier<Number> lost) {
    new Meters(registry)
        .gauge(
            "laurel.threads.lost",
            "Threads that have ended and should not have: the node has to be started anew",
            lost);
  }

  void watch(IndexMemory memory) {
    new Meters(registry)
        .gauge("laurel.index.limit", "Bytes that ranks in memory may take", memory::limit);
    FunctionCounter.builder("laurel.index.unloads", memory, IndexMemory::unloads)
        .description("Seasons unloaded to make room for others")
        .register(registry);
    FunctionCounter.builder("laurel.index.crowded", memory, IndexMemory::crowdings)
        .description("Seasons in use that had to go, or were too large to load: more heap is due")
        .register(registry);
  }

  /** Says it at the first time, and then once in a while for as long as it goes on. */
  void crowded(long needed, long limit) {
    long now = System.nanoTime();
    long last = crowdedSaid.get();
    if ((last == 0 || now - last >= SAY_AGAIN_NANOS) && crowdedSaid.compareAndSet(last, now)) {
      LOG.atWarn()
          .addKeyValue("neededMegabytes", needed >> 20)
          .addKeyValue("limitMegabytes", limit >> 20)
          .log(
              "ranks in use do not fit into memory: some are read from the database, which is slow;"
                  + " give the server more heap, or index-megabytes (docs/capacity.md)");
    }
  }

  private static void archived(
      MeterRegistry registry, ArchiveProgress archive, String step, SeasonStatus... from) {
    FunctionCounter.builder(
            "laurel.archive.seasons", archive, a -> Stream.of(from).mapToLong(a::finished).sum())
        .description("Seasons that were archived, purged or restored here since the start")
        .tag("step", step)
        .register(registry);
  }

  /** Before a scrape. */
  void refresh(BoardDirectory boards, RankIndex index, LongFunction<String> tenantNames) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (Board board : boards.all()) {
      if (rows.size() == LABELLED_BOARDS) {
        break;
      }
      Season season = board.newest(board.windows().getFirst());
      rows.add(
          MultiGauge.Row.of(
              Tags.of("tenant", tenantNames.apply(board.tenant()), "board", board.uuid()),
              season == null ? 0 : index.size(season)));
    }
    entries.register(rows, true);
  }

  @Override
  public void committed(int requests, int lineCount, long nanos) {
    storeLatency.record(nanos / 1e6);
    batchLines.record(lineCount);
    batchRequests.record(requests);
    lines.increment(lineCount);
  }

  @Override
  public void failed(int requests, Throwable cause) {
    failures.increment();
    LOG.atError().addKeyValue("requests", requests).setCause(cause).log("commit failed");
  }

  void catchUpFailed(Throwable cause) {
    indexFailures.increment();
    LOG.atError().setCause(cause).log("a season could not catch up");
  }

  void liveFailed(Throwable cause) {
    LOG.atWarn().setCause(cause).log("a watched range could not be read; it is tried again");
  }

  void archiveFailed(Throwable cause) {
    LOG.atError().setCause(cause).log("the archive failed; it is tried again");
  }

  void seasonFailed(Throwable cause) {
    seasonFailures.increment();
    LOG.atError().setCause(cause).log("seasons could not be moved on; tried again in a second");
  }

  void cleanUpFailed(Throwable cause) {
    LOG.atError().setCause(cause).log("what is past its time could not be removed; tried again");
  }

  void clockFailed(Throwable cause) {
    LOG.atError().setCause(cause).log("the clock could not be looked at; tried again");
  }

  void awardHooksFailed(Throwable cause) {
    LOG.atError().setCause(cause).log("award.recorded could not be written; tried again");
  }

  /** By rule and by what became of it. */
  void caught(GuardRule rule) {
    Counter.builder("laurel.anomalies")
        .description("Submissions that a board's guard caught")
        .tag("rule", rule.kind().name())
        .tag("outcome", rule.action().name())
        .register(registry)
        .increment();
  }
}
