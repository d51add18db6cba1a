package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.PipelineContract;
import dev.laurel.testkit.SharedLaneCases;
import java.nio.file.Path;
import java.time.InstantSource;

/** The pipeline's contract on PostgreSQL. */
final class PostgresPipelineTest extends PipelineContract implements SharedLaneCases {
  private final String database = PostgresServer.shared().newDatabase();

  @Override
  protected Store open(Path folder, InstantSource clock) {
    return PostgresStore.open(PostgresServer.shared().url(database), null, null, clock);
  }
}
