package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 100 tenants with ten boards of three windows each, all at once, through midnight. */
class ManyBoardsTest {
  private static final int TENANTS = 100;
  private static final int BOARDS = 10;
  private static final int CALLERS = 8;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T22:30:00Z"));

  @Test
  void thousandBoards_ofAHundredTenants_areMadeWrittenAndReset() throws Exception {
    try (TestServer server = TestServer.start(clock)) {
      Api admin = Api.admin(server);
      Api[] tenants = new Api[TENANTS];
      forEach(
          TENANTS,
          t -> {
            admin.post("/api/v1/tenants", "{'tenantId':'t%d','name':'T'}".formatted(t)).is(201);
            tenants[t] = admin.with("Laurel-Tenant", "t" + t);
            for (int b = 0; b < BOARDS; b++) {
              tenants[t].board(
                  "b" + b,
                  "'update':'SUM','decimals':0,'windows':[{'schedule':'daily',"
                      + "'timeZone':'Europe/Berlin'},{'schedule':'weekly'},{'schedule':'all-time'}]");
            }
          });
      submit(tenants, 1);

      // Past midnight in Berlin and the grace period: 1,000 daily seasons end, 1,000 begin.
      clock.set(Instant.parse("2026-11-14T23:10:00Z"));
      Poll.until(
          "every day is final",
          Duration.ofMinutes(5),
          () ->
              IntStream.range(0, TENANTS)
                  .allMatch(t -> isTurned(tenants[t].get(board(BOARDS - 1) + "/seasons"))));
      submit(tenants, 10);

      forEach(
          TENANTS * BOARDS,
          i -> {
            Api tenant = tenants[i / BOARDS];
            String board = board(i % BOARDS);
            assertThat(isTurned(tenant.get(board + "/seasons").is(200))).isTrue();
            assertThat(scores(tenant, board, "period=daily&season=previous"))
                .containsExactlyElementsOf(expected(i, 1));
            assertThat(scores(tenant, board, "period=daily"))
                .containsExactlyElementsOf(expected(i, 10));
            assertThat(scores(tenant, board, "period=weekly"))
                .containsExactlyElementsOf(expected(i, 11));
            assertThat(scores(tenant, board, "period=all-time"))
                .containsExactlyElementsOf(expected(i, 11));
          });
    }
  }

  private static boolean isTurned(Answer seasons) {
    return seasons.all("/seasons", "status").equals(List.of("ACTIVE", "COMPLETED"))
        && seasons.at("/seasons/1/final").equals("true");
  }

  /** Three users on every board, whose scores tell the board and the round. */
  private static void submit(Api[] tenants, int factor) throws Exception {
    forEach(
        TENANTS * BOARDS,
        i -> {
          List<String> lines = new ArrayList<>();
          for (int user = 1; user <= 3; user++) {
            lines.add("{'userId':'u%d','score':%d}".formatted(user, score(i, user) * factor));
          }
          Answer answer =
              tenants[i / BOARDS].post(
                  board(i % BOARDS) + "/scores", "{'scores':[" + String.join(",", lines) + "]}");
          assertThat(answer.is(200).all("/results", "outcome")).containsOnly("APPLIED").hasSize(3);
        });
  }

  private static int score(int board, int user) {
    return board * 10 + user;
  }

  private static List<String> expected(int board, int factor) {
    return IntStream.of(3, 2, 1)
        .mapToObj(user -> String.valueOf(score(board, user) * factor))
        .toList();
  }

  private static List<String> scores(Api tenant, String board, String season) {
    return tenant.get(board + "/top?limit=10&" + season).is(200).all("/users", "score");
  }

  private static String board(int number) {
    return Api.BOARDS + "/b" + number;
  }

  private static void forEach(int count, IntConsumer action) throws Exception {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        int first = caller;
        running.add(
            callers.submit(
                () -> {
                  for (int i = first; i < count; i += CALLERS) {
                    action.accept(i);
                  }
                }));
      }
      for (Future<?> done : running) {
        done.get();
      }
    }
  }
}
