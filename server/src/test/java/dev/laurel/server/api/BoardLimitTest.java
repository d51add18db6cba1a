package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever may send scores makes boards of games, but not any number of them. */
class BoardLimitTest {
  private static final String SCORE = "{'user_id':'ann','score':1}";

  @Test
  void games_madeByScoresOfManyCallersAtOnce_endAtTheLimit() throws Exception {
    try (TestServer server = TestServer.start(s -> s.with(Settings.MAX_BOARDS, "20"), _ -> {});
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      Api admin = Api.admin(server);
      Api ingest = admin.key("game", "ingest");
      List<Future<Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String game = "/v1/games/g" + i + "/scores";
        calls.add(threads.submit(() -> ingest.post(game, SCORE)));
      }
      int made = 0;
      for (Future<Answer> call : calls) {
        Answer answer = call.get();
        if (answer.status() == 200) {
          made++;
        } else {
          answer.refused(409, "TOO_MANY_BOARDS");
        }
      }
      assertThat(made).isEqualTo(20);
      assertThat(admin.get(Api.BOARDS).number("/total")).isEqualTo(20);
      admin.post(Api.BOARDS, "{'UUID':'one-more'}").refused(409, "TOO_MANY_BOARDS");
      // Those that are there go on, and other tenants have places of their own.
      String known = admin.get(Api.BOARDS).at("/leaderboards/0/UUID");
      admin.score(Api.BOARDS + "/" + known, "bob", "'score':2").is(200);
      admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
      admin.with("Laurel-Tenant", "acme").board("first");
    }
  }

  @Test
  void definitions_thatAreLarge_haveABoundEachAndTogether() {
    try (TestServer server =
        TestServer.start(s -> s.with(Settings.BOARD_MEGABYTES, "1"), _ -> {})) {
      Api admin = Api.admin(server);
      admin.post(Api.BOARDS, "{'UUID':'huge'," + prizes(80) + "}").refused(400, "VALIDATION_ERROR");
      // It is their size.
      admin.board("other", prizes(60));
      admin.patch(Api.BOARDS + "/other", "{" + prizes(1) + "}").is(200);
      for (int i = 0; i < 5; i++) {
        admin.board("large-" + i, prizes(50));
      }
      admin
          .post(Api.BOARDS, "{'UUID':'large-5'," + prizes(50) + "}")
          .refused(409, "TOO_MANY_BOARDS");
      String small = admin.board("small");
      admin.patch(small, "{" + prizes(50) + "}").refused(409, "TOO_MANY_BOARDS");
      admin.patch(small, "{" + prizes(80) + "}").refused(400, "VALIDATION_ERROR");
      // One that does not grow may change, and so makes room.
      admin.patch(Api.BOARDS + "/large-0", "{" + prizes(1) + "}").is(200);
      admin.patch(small, "{" + prizes(50) + "}").is(200);
    }
  }

  /** Each of some 4,000 bytes. */
  private static String prizes(int tiers) {
    String reward = "{'text':'" + "x".repeat(4000) + "'}";
    return "'windows':[{'schedule':'all-time','prizes':["
        + IntStream.rangeClosed(1, tiers)
            .mapToObj(
                i ->
                    "{'name':'p" + i + "','from':" + i + ",'to':" + i + ",'reward':" + reward + "}")
            .collect(Collectors.joining(","))
        + "]}]";
  }
}
