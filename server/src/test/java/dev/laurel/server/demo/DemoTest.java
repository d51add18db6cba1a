package dev.laurel.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTest {
  private static String top(TestServer server, String board, String query) {
    var answer =
        server.send(server.anonymous("/api/v1/leaderboards/" + board + "/top?limit=10" + query));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    // Without the time of the answer.
    return answer.body().replaceFirst("\"retrievedAt\":\"[^\"]*\"", "");
  }

  @Test
  void start_boardsAreFullAndMove_andAreNotFilledAgain() {
    TestServer server = TestServer.start(s -> s.with(Settings.DEMO, "true"), _ -> {});
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
      String first = top(server, "demo-rewards", "").replaceFirst(",\"totalUsers.*", "");
      server = server.restart();
      String after = top(server, "demo-rewards", "");
      assertThat(after).contains("\"totalUsers\":" + DemoPlayers.COUNT);
      assertThat(leader(after)).isBetween(leader(first), leader(first) + 200);
    } finally {
      server.close();
    }
  }

  private static int leader(String top) {
    return Integer.parseInt(top.replaceFirst(".*?\"score\":(\\d+).*", "$1"));
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
