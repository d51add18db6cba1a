package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.StartException;
import dev.laurel.server.TestServer;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger's chain as an operator sees it. */
class LedgerApiTest {
  @TempDir Path folder = Path.of("");

  private static void scores(Api api) {
    String board = api.board("b");
    api.score(board, "ann", "'score':3,'metadata':{'n':1}").is(200);
    api.score(board, "bob", "'score':2").is(200);
    api.score(board, "ann", "'score':5").is(200);
  }

  private static void change(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Test
  void verify_scoreChangedInTheFile_isFoundNamedAndAnExitCode() throws Exception {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      scores(api);
      Path key = server.laurel().dataFolder().resolve("ledger.key");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
      Cli intact = Cli.run(server, folder, "verify", "--ledger");
      assertThat(intact.code()).as(intact.err()).isZero();
      assertThat(intact.out()).startsWith("INTACT").contains(" 3 lines from 1 ");
      assertThat(Cli.run(server, folder, "verify", "--ledger", "b").code())
          .isEqualTo(ExitCode.USAGE);

      change(server.sqliteUrl(), "UPDATE ledger SET value = 4000000 WHERE line = 1");
      Cli broken = Cli.run(server, folder, "verify", "--ledger");
      assertThat(broken.code()).isEqualTo(ExitCode.LEDGER_BROKEN);
      assertThat(broken.out()).startsWith("BROKEN").contains("lines 1 to 3: a line was changed");
      api.score(Api.BOARDS + "/b", "bob", "'score':9").is(200);
      assertThat(Cli.run(server, folder, "verify", "--ledger").code())
          .isEqualTo(ExitCode.LEDGER_BROKEN);
    }
  }

  @Test
  void start_keyFileLost_isRefused() {
    try (TestServer server = TestServer.start()) {
      scores(Api.admin(server));
      Path key = server.laurel().dataFolder().resolve("ledger.key");
      assertThatThrownBy(
              () ->
                  server.restart(
                      () -> {
                        try {
                          Files.delete(key);
                        } catch (java.io.IOException e) {
                          throw new AssertionError(e);
                        }
                      }))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("ledger-key: another one");
    }
  }

  @Test
  void verify_postgresWithoutAKey_isRefusedAndWithOneFindsAChange() {
    PostgresServer postgres = PostgresServer.shared();
    String url = postgres.url(postgres.newDatabase());
    try (TestServer server = TestServer.start(s -> s.with(Settings.DATABASE_URL, url), _ -> {})) {
      scores(Api.admin(server));
      Api.admin(server).post("/api/v1/ledger/verify", "").refused(409, "LEDGER_NOT_CHAINED");
      assertThat(Cli.run(server, folder, "verify", "--ledger").code())
          .isEqualTo(ExitCode.CALL_FAILED);
    }
    String key = "0123456789abcdef0123456789abcdef";
    try (TestServer server =
        TestServer.start(
            s -> s.with(Settings.DATABASE_URL, url).with(Settings.LEDGER_KEY, key), _ -> {})) {
      Api api = Api.admin(server);
      api.score(Api.BOARDS + "/b", "bob", "'score':9").is(200);
      Cli intact = Cli.run(server, folder, "verify", "--ledger");
      assertThat(intact.code()).as(intact.err()).isZero();
      // Those before are older than the chain.
      assertThat(intact.out()).contains(" 1 lines from 4 ");
      change(url, "UPDATE ledger SET value = 4000000 WHERE line = 4");
      assertThat(Cli.run(server, folder, "verify", "--ledger").out()).contains("lines 4 to 4");
    }
  }
}
