package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import org.junit.jupiter.api.Test;

/** What became of a line is said in one way, whichever route took it. */
class BatchAnswersTest {
  private static final String WINDOWS =
      "'windows':[{'name':'daily','schedule':'daily'},{'name':'ever','schedule':'all-time'}]";

  @Test
  void post_sameLinesAsScoresAndAsEvents_areAnsweredAlike() {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String scores = api.board("scores", "'update':'SUM'", WINDOWS);
      String events = api.board("events", "'update':'SUM'", WINDOWS);
      for (String board : new String[] {scores, events}) {
        api.put(
                board + "/guard",
                "{'rules':[{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}]}")
            .is(200);
      }
      // One is taken, one is held from somebody who is not on the board, one is refused.
      String lines =
          "{#'userId':'a','score':1,'timestamp':'2020-01-01T00:00:00Z'},"
              + "{#'userId':'b','score':900,'timestamp':'2020-01-01T00:00:00Z'},"
              + "{#'userId':'c'}";
      Answer asScores =
          api.post(scores + "/scores", "{'scores':[" + lines.replace("#", "") + "]}").is(200);
      Answer asEvents =
          api.post("/api/v1/events", "[" + lines.replace("#", "'UUID':'events',") + "]").is(200);
      assertThat(asScores.at("/results/1/outcome")).isEqualTo("HELD");
      assertThat(asScores.at("/results/1/period")).isEqualTo("ever");
      assertThat(asScores.at("/results/1/missed/0")).isEqualTo("daily");
      assertThat(asScores.at("/results/2/outcome")).isEqualTo("REJECTED");
      assertThat(asEvents.text()).isEqualTo(asScores.text().replace("scores[2]", "[2]"));
    }
  }
}
