package dev.laurel.server;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.hooks.Outgoing;
import dev.laurel.core.lifecycle.AnomalySweep;
import dev.laurel.core.lifecycle.CleanUp;
import dev.laurel.core.lifecycle.Compaction;
import dev.laurel.core.lifecycle.IdSweep;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is removed when, in milliseconds. Whatever grows has a task here, or goes with a season;
 * {@code SteadyYearTest} runs these very tasks for a year.
 */
record Horizons(long idsMillis, long anomaliesMillis) {
  CleanUp cleanUp(
      Store store,
      Outgoing outgoing,
      BoardDirectory directory,
      RankIndex index,
      InstantSource clock,
      Consumer<Throwable> onFailure) {
    return new CleanUp(
        List.of(
            outgoing::forget,
            new AnomalySweep(store, anomaliesMillis),
            new IdSweep(store, directory, clock, idsMillis),
            _ -> index.keepOnly(directory.listed()),
            new Compaction(store)),
        onFailure);
  }
}
