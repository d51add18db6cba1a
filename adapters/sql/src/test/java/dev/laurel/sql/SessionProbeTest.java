package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.stack.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** A pooler between a node and its database. */
final class SessionProbeTest {
  private final String database = PostgresServer.shared().newDatabase();

  private String url(TransactionPooler pooler) {
    // As PgBouncer's manual advises: no statement that is prepared for later.
    return PostgresServer.url(database, pooler.port()) + "&prepareThreshold=0";
  }

  /** What would happen otherwise; it also shows that the double does as PgBouncer does. */
  @Test
  void pooler_inTransactionMode_losesSettings() throws SQLException {
    try (TransactionPooler pooler =
            TransactionPooler.before(PostgresServer.shared().port(), false);
        Connection one = DriverManager.getConnection(url(pooler));
        Connection other = DriverManager.getConnection(url(pooler));
        Statement first = one.createStatement();
        Statement second = other.createStatement()) {
      first.execute("SET statement_timeout = '15s'");
      second.execute("SET statement_timeout = '60s'");
      try (ResultSet row = first.executeQuery("SHOW statement_timeout")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("1min");
      }
    }
  }

  @Test
  void open_byAPoolerInTransactionMode_isRefusedBeforeAnythingIsMade() throws SQLException {
    try (TransactionPooler pooler =
        TransactionPooler.before(PostgresServer.shared().port(), false)) {
      assertThatThrownBy(() -> PostgresStore.open(url(pooler), null, null, null).close())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("does not keep its session")
          .hasMessageContaining("pool_mode = session")
          .hasMessageNotContaining("\n");
    }
    try (Connection connection =
            DriverManager.getConnection(PostgresServer.shared().url(database));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT to_regclass('meta') IS NULL")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getBoolean(1)).isTrue();
    }
  }

  @Test
  void open_byAPoolerInSessionMode_works() {
    try (TransactionPooler pooler = TransactionPooler.before(PostgresServer.shared().port(), true);
        Store store = PostgresStore.open(url(pooler), null, null, null)) {
      store.check();
      assertThat(store.shards()).isGreaterThan(1);
    }
  }
}
