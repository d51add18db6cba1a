package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.StoreContract;
import java.nio.file.Path;

/** The contract on PostgreSQL, and what is PostgreSQL's own. */
final class PostgresStoreTest extends StoreContract {
  private final String database = PostgresServer.shared().newDatabase();

  @Override
  protected Store open(Path folder) {
    return PostgresStore.open(PostgresServer.shared().url(database), null, null, null);
  }
}
