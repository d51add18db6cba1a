package dev.laurel.redis;

import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.PipelineContract;
import java.nio.file.Path;
import java.time.InstantSource;

/** SQLite as the truth, Redis for the ranks. */
abstract class RedisPipelineContract extends PipelineContract {
  abstract String url();

  @Override
  protected Store open(Path folder, InstantSource clock) {
    return SqliteStore.open(folder, clock);
  }

  @Override
  protected Harness.IndexSource indexes() {
    return Nodes.patient(url(), folder.getFileName().toString());
  }
}
