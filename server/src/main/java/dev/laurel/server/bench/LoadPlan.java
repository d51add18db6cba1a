package dev.laurel.server.bench;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One run of requests.
 *
 * @param limit of requests of a closed lane, for each thread
 * @param patience how long answers are awaited after the end
 * @param users makes the choice of users for a thread
 */
record LoadPlan(
    List<LaneSpec> lanes,
    int threads,
    int pipeline,
    Duration warmup,
    Duration duration,
    Duration patience,
    long limit,
    int batch,
    int decimals,
    long seed,
    Function<SplittableRandom, UserPicker> users) {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  static LoadPlan of(BenchOptions options) {
    return new LoadPlan(
        options.lanes(),
        options.threads(),
        options.pipeline(),
        options.warmup(),
        options.duration(),
        PATIENCE,
        Long.MAX_VALUE,
        options.batch(),
        options.decimals(),
        options.seed(),
        random -> UserPicker.of(options, random));
  }

  /** The connections of a lane that are a thread's. */
  int connections(LaneSpec lane, int thread) {
    return lane.connections() / threads + (thread < lane.connections() % threads ? 1 : 0);
  }
}
