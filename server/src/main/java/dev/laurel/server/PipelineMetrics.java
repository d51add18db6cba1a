package dev.laurel.server;

import dev.laurel.core.archive.ArchiveSharing;
import dev.laurel.core.lifecycle.ArchiveDiffersException;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.pipeline.PipelineObserver;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.GuardRule;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the pipeline and the index do, in the metrics and, where it fails, in the log. */
final class PipelineMetrics implements PipelineObserver, IndexMemory.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineMetrics.class);

  private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final AtomicLong crowdedSaid = new AtomicLong();
  private final AtomicLong idsCrowdedSaid = new AtomicLong();

  /** What was said last; of the thread that looks. */
  private @Nullable String archiveProblem;

  private final DistributionSummary storeLatency;
  private final DistributionSummary batchLines;
  private final DistributionSummary batchRequests;
  private final Counter lines;
  private final Counter failures;
  private final Counter indexFailures;
  private final Counter seasonFailures;
  private final MeterRegistry registry;
  private final BoardMetrics boards;

  PipelineMetrics(MeterRegistry registry, BoardMetrics boards) {
    this.registry = registry;
    this.boards = boards;
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
    failures =
        meters.counter(
            "laurel.store.failures",
            "Batches that the store did not take, and requests refused as it is known to be away");
    indexFailures =
        meters.counter("laurel.index.failures", "Seasons that could not catch up with the store");
    seasonFailures =
        meters.counter("laurel.season.failures", "Turns of the season scheduler that failed");
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

  void watch(IndexMemory memory, Users users) {
    Meters meters = new Meters(registry);
    meters.gauge("laurel.index.limit", "Bytes that ranks and ids may take", memory::limit);
    meters.gauge("laurel.users.bytes", "Bytes that the ids of users take", users::bytes);
    meters.gauge(
        "laurel.users.limit", "Bytes of ids beyond which new users are refused", memory::idLimit);
    FunctionCounter.builder("laurel.users.refused", memory, IndexMemory::idRefusals)
        .description("Batches with new users who were refused, as there is no memory for their ids")
        .register(registry);
    FunctionCounter.builder("laurel.index.unloads", memory, IndexMemory::unloads)
        .description("Seasons unloaded to make room for others")
        .register(registry);
    FunctionCounter.builder("laurel.index.crowded", memory, IndexMemory::crowdings)
        .description("Seasons in use that had to go, or were too large to load: more heap is due")
        .register(registry);
  }

  @Override
  public void crowded(long needed, long limit) {
    warn(
        crowdedSaid,
        needed,
        limit,
        "ranks in use do not fit into memory: some are read from the database, which is slow;"
            + " give the server more heap, or index-megabytes (docs/capacity.md)");
  }

  @Override
  public void idsCrowded(long needed, long limit) {
    warn(
        idsCrowdedSaid,
        needed,
        limit,
        "user ids take nearly all the memory that they may; beyond it new users are refused with"
            + " TOO_MANY_USERS: give the server more heap, or index-megabytes (docs/capacity.md)");
  }

  /** Says it at the first time, and then once in a while for as long as it goes on. */
  private static void warn(AtomicLong said, long needed, long limit, String what) {
    long now = System.nanoTime();
    long last = said.get();
    if ((last == 0 || now - last >= SAY_AGAIN_NANOS) && said.compareAndSet(last, now)) {
      LOG.atWarn()
          .addKeyValue("neededMegabytes", needed >> 20)
          .addKeyValue("limitMegabytes", limit >> 20)
          .log(what);
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

  @Override
  public void committed(int requests, int lineCount, long nanos) {
    storeLatency.record(nanos / 1e6);
    batchLines.record(lineCount);
    batchRequests.record(requests);
    lines.increment(lineCount);
  }

  @Override
  public void wrote(long board, int lineCount) {
    boards.wrote(board, lineCount);
  }

  /** Not logged: whoever found the store away has said so. */
  @Override
  public void refused() {
    failures.increment();
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
    if (cause instanceof ArchiveDiffersException) {
      // Where that was found says nothing.
      LOG.warn("{}", cause.getMessage());
      return;
    }
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

  /** Whether nodes see one archive, and what waits for that. */
  void watch(ArchiveSharing sharing, ArchiveProgress progress) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "laurel.archive.shared",
        "1 if every node sees the archive that the others write; else nothing is purged",
        () -> sharing.problem() == null ? 1 : 0);
    meters.gauge(
        "laurel.archive.purges.waiting",
        "Seasons, up to a hundred, that are due to be purged and wait for a shared archive",
        progress::waiting);
  }

  /** Said when it changes. */
  void archiveShared(@Nullable String problem) {
    if (!Objects.equals(problem, archiveProblem)) {
      archiveProblem = problem;
      if (problem == null) {
        LOG.info("every node sees the archive that the others write; what is due is purged");
      } else {
        LOG.atWarn()
            .addKeyValue("why", problem)
            .log(
                "nothing is purged: not every node sees one archive; give all of them the same"
                    + " folder that outlives them, or S3 (docs/archive.md)");
      }
    }
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
