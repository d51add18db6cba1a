package dev.laurel.sql;

import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** A database of an earlier version. */
final class PostgresOldDatabaseTest extends OldDatabaseContract {
  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());

  @Override
  DataSource source() {
    return PostgresAddress.of(url, null, null).source(0);
  }

  @Override
  FluentConfiguration flyway() {
    return PostgresSchema.flyway(source());
  }

  @Override
  String bytes(String hex) {
    return "'\\x" + hex + "'";
  }

  @Override
  Store open() {
    return PostgresStore.open(url, null, null, clock);
  }
}
