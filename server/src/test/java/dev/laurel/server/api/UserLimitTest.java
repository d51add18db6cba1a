package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.StartException;
import dev.laurel.server.TestServer;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.settings.Settings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids of users are never unloaded, so there is an end to them before there is one to the heap. */
class UserLimitTest {
  private static final String BOARD = Api.BOARDS + "/b";
  private static final int BATCH = 200;

  @Test
  void submit_newUsersBeyondTheMemory_areRefusedAndOthersGoOn() {
    TestServer server = TestServer.start(s -> s.with(Settings.INDEX_MEGABYTES, "1"), _ -> {});
    try {
      Api api = Api.admin(server);
      api.board("b");
      api.score(BOARD, "ann", "'score':1").is(200);
      int users = fill(api);
      assertThat(users).as("ids of 400 bytes in three quarters of a megabyte").isLessThan(2000);
      api.score(BOARD, id(-1), "'score':1").refused(503, "TOO_MANY_USERS");
      String newcomer = URLEncoder.encode(id(-3), StandardCharsets.UTF_8);
      api.put("/api/v1/users/" + newcomer + "/profile", "{'displayName':'New'}")
          .refused(503, "TOO_MANY_USERS");
      Answer both =
          api.post(BOARD + "/scores", "{'scores':[" + line("ann", 2) + "," + line(id(-2), 3) + "]}")
              .is(200);
      assertThat(both.at("/results/0/outcome")).isEqualTo("APPLIED");
      assertThat(both.at("/results/1/code")).isEqualTo("TOO_MANY_USERS");
      assertThat(server.get("/metrics").body())
          .contains("\nlaurel_users_limit 786432.0\n")
          .containsPattern("\nlaurel_users_bytes [67]\\d{5}\\.0\n")
          .containsPattern("\nlaurel_users_refused_total [1-9]");

      server = server.restart();
      Api again = Api.admin(server);
      again.score(BOARD, "ann", "'score':3").is(200);
      again.score(BOARD, id(0), "'score':3").is(200);
      again.score(BOARD, id(-1), "'score':1").refused(503, "TOO_MANY_USERS");
    } finally {
      server.close();
    }
  }

  @Test
  void start_moreUsersThanTheMemoryHolds_endsWithTheHeapThatIsNeeded() {
    try (TestServer first = TestServer.start(s -> s.with(Settings.INDEX_MEGABYTES, "2"), _ -> {})) {
      Api api = Api.admin(first);
      api.board("b");
      fill(api);
      assertThatThrownBy(() -> first.restart(s -> s.with(Settings.INDEX_MEGABYTES, "1")))
          .isInstanceOfSatisfying(
              StartException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.HEAP))
          .hasMessageContaining("user")
          .hasMessageContaining("-Xmx")
          .hasMessageContaining("index-megabytes=2");
    }
  }

  /** Users with long ids until there is no room for one more; how many there are. */
  private static int fill(Api api) {
    int users = 0;
    for (int batch = BATCH; batch > 0; ) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        lines.add(line(id(users + i), i));
      }
      Answer answer =
          api.post(BOARD + "/scores", "{'scores':[" + String.join(",", lines) + "]}").is(200);
      if (answer.at("/results/0/outcome").equals("REJECTED")) {
        batch /= 2;
      } else {
        users += batch;
      }
      assertThat(users).as("there is an end").isLessThan(20_000);
    }
    return users;
  }

  private static String line(String user, int score) {
    return "{'userId':'" + user + "','score':" + score + "}";
  }

  /** One of some 400 bytes, as three bytes are a character. */
  private static String id(int number) {
    return "\u65e5".repeat(120) + (100_000 + number);
  }
}
