package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Route;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every route, called with what should be sent and with what should not, by everybody. Whatever
 * comes, the answer is never the server's fault, tells nothing of its inside, and what others have
 * is as it was. {@code benchmarks/fuzz} does it for longer ({@link FuzzRun}).
 */
@ExtendWith(Seeds.class)
class FuzzTest {
  private static final int REQUESTS_A_ROUTE = 150;
  private static final int THREADS = 4;

  private final TestIssuer issuer = new TestIssuer();
  private final Set<Integer> statuses = ConcurrentHashMap.newKeySet();

  @Test
  void routes_calledWithWhateverComes_neverFailAndHarmNobody(Random random) throws Exception {
    try (TestServer server =
            TestServer.start(
                s ->
                    issuer
                        .settings()
                        .apply(s)
                        .with(Settings.MAX_BODY_BYTES, "65536")
                        .with(Settings.BODY_SECONDS, "2"),
                _ -> {});
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        issuer) {
      Api admin = Api.admin(server);
      admin.post("/api/v1/tenants", "{'tenantId':'bystander','name':'B'}").is(201);
      Api bystander = admin.with("Laurel-Tenant", "bystander");
      String board = bystander.board("control");
      for (int i = 0; i < 50; i++) {
        bystander.score(board, "user-" + i, "'score':" + random.nextInt(1000)).is(200);
      }
      String before = top(bystander, board);
      FuzzRequests requests = FuzzRequests.of(admin, issuer);

      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random own = new Random(random.nextLong());
        running.add(threads.submit(() -> walk(server, requests, new Mutations(own))));
      }
      for (Future<?> each : running) {
        each.get();
      }

      // Enough of it got through that this says something.
      assertThat(statuses).contains(200, 201, 204, 400, 401, 403, 404, 409, 413, 415);
      assertThat(top(bystander, board)).isEqualTo(before);
      bystander.score(board, "late", "'score':5").is(200);
      admin.board("afterwards");
      Answer checked =
          admin.with("Laurel-Tenant", "bystander").post("/api/v1/checks", "{'action':'VERIFY'}");
      assertThat(checked.text()).doesNotContain("DIFFERENT");
    }
  }

  private static String top(Api api, String board) {
    return api.get(board + "/top?limit=100").is(200).json().get("users").toString();
  }

  private void walk(TestServer server, FuzzRequests requests, Mutations mutations) {
    Map<String, OpenApiFile.Operation> documented = new HashMap<>();
    for (OpenApiFile.Operation operation : new OpenApiFile().operations()) {
      documented.put(operation.toString(), operation);
    }
    for (int i = 0; i < REQUESTS_A_ROUTE / THREADS; i++) {
      for (Route route : server.laurel().routes().routes()) {
        byte[] request =
            requests.next(
                documented.computeIfAbsent(route.toString(), _ -> FuzzRequests.undocumented(route)),
                mutations);
        check(request, FuzzRequests.call(server, request));
      }
    }
  }

  private void check(byte[] request, String answer) {
    int status = FuzzRequests.check(request, answer);
    statuses.add(status);
    // The only part that is switched off here.
    if (status != 503 || !answer.contains("\"KAFKA_UNAVAILABLE\"")) {
      assertThat(status).as(FuzzRequests.show(request) + "\n----\n" + answer).isLessThan(500);
    }
  }
}
