package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.testkit.EpochContract;
import java.nio.file.Path;
import java.time.InstantSource;

/** With ranks in memory. */
final class SqliteEpochTest extends EpochContract {
  @Override
  protected Store open(Path folder, InstantSource clock) {
    return SqliteStore.open(folder, clock);
  }
}
