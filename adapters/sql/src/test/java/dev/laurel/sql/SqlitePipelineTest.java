package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.testkit.PipelineContract;
import java.nio.file.Path;
import java.time.InstantSource;

class SqlitePipelineTest extends PipelineContract {
  @Override
  protected Store open(Path folder, InstantSource clock) {
    return SqliteStore.open(folder, clock);
  }
}
