package dev.laurel.core.lifecycle;

import dev.laurel.core.store.Store;
import java.util.function.BooleanSupplier;

/**
 * Gives space that purging and pruning have freed back to the disk, in steps so small that commits
 * hardly notice: some with each turn. For one thread.
 */
public final class Compaction implements CleanUp.Task {
  private static final int STEPS = 20;

  private final Store store;

  public Compaction(Store store) {
    this.store = store;
  }

  @Override
  public void turn(BooleanSupplier stop) {
    int steps = 0;
    while (steps < STEPS && !stop.getAsBoolean() && store.compact()) {
      steps++;
    }
  }
}
