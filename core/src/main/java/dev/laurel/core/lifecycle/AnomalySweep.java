package dev.laurel.core.lifecycle;

import dev.laurel.core.store.Store;
import java.util.function.BooleanSupplier;

/**
 * Forgets what guards caught long ago, whatever was decided about it. A line that was held back and
 * that nobody released by then stays held back. For one thread.
 */
public final class AnomalySweep implements CleanUp.Task {
  private static final int CHUNK = 500;

  private final Store store;
  private final long keptMillis;

  /**
   * @param keptMillis how long; Long.MAX_VALUE for ever
   */
  public AnomalySweep(Store store, long keptMillis) {
    this.store = store;
    this.keptMillis = keptMillis;
  }

  @Override
  public void turn(BooleanSupplier stop) {
    while (keptMillis != Long.MAX_VALUE
        && !stop.getAsBoolean()
        && store.read(tx -> tx.hasAnomalies(tx.now() - keptMillis))) {
      store.write(tx -> tx.removeAnomalies(tx.now() - keptMillis, CHUNK));
    }
  }
}
