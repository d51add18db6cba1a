package dev.laurel.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTest {
  private static String top(TestServer server, String board, String query) {
    var answer =
        server.send(
            server.anonymous(
                "/api/v1/leaderboards/%s/top?limit=%d%s"
                    .formatted(board, DemoPlayers.COUNT, query)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    // Without the time of the answer.
    return answer.body().replaceFirst("\"retrievedAt\":\"[^\"]*\"", "");
  }

  /** The clock stands still, so what is played now has its time, and only the past is filled. */
  @Test
  void start_boardsAreFullAndMove_andAreNotFilledAgain() throws SQLException {
    Instant now = Instant.now();
    TestServer server =
        TestServer.start(s -> s.with(Settings.DEMO, "true"), new ManualClock(now), _ -> {});
    try {
      TestServer fresh = server;
      for (String board : Demo.boards()) {
        String before = top(server, board, "");
        assertThat(before).contains("\"rank\":10,").contains("\"totalUsers\":" + DemoPlayers.COUNT);
        Poll.until(board + " moves", () -> !top(fresh, board, "").equals(before));
      }
      for (String period : List.of("daily", "weekly", "all-time")) {
        assertThat(top(server, "demo-neon-run", "&period=" + period)).contains("\"rank\":10,");
      }
      long filled = linesBefore(server, now);
      assertThat(filled).isPositive();
      server = server.restart();
      assertThat(linesBefore(server, now)).isEqualTo(filled);
      for (String board : Demo.boards()) {
        assertThat(top(server, board, "")).contains("\"totalUsers\":" + DemoPlayers.COUNT);
      }
    } finally {
      server.close();
    }
  }

  private static long linesBefore(TestServer server, Instant time) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.sqliteUrl());
        Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT count(*) FROM ledger WHERE event_at < " + time.toEpochMilli())) {
      return count.getLong(1);
    }
  }

  @Test
  void players_areTheSameInEveryRun() {
    DemoPlayers one = new DemoPlayers();
    DemoPlayers two = new DemoPlayers();
    for (int i = 0; i < DemoPlayers.COUNT; i++) {
      assertThat(one.id(i)).isEqualTo(two.id(i)).matches("[A-Za-z0-9_ .]{2,20}");
    }
  }
}
