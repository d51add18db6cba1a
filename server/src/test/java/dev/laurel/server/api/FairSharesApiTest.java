package dev.laurel.server.api;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Kind;
import dev.laurel.server.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one tenant keeps busy leaves places to the others. */
class FairSharesApiTest {
  @Test
  void slowRequests_ofOneTenant_leavePlacesToOthersAndTheAdmin() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger waiting = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    try (TestServer server =
            TestServer.start(
                s -> s.with(Settings.MAX_BLOCKING, "16"),
                table ->
                    table.get(
                        "/t/slow",
                        Kind.BLOCKING,
                        Access.READ,
                        exchange -> {
                          waiting.incrementAndGet();
                          try {
                            release.await();
                          } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                          }
                          exchange.noContent();
                        }));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Api admin = Api.admin(server);
      admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
      String acme = admin.with("Laurel-Tenant", "acme").secret("acme", "read");
      List<Runnable> attack = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        attack.add(
            () -> {
              var request = server.anonymous("/t/slow").header("X-API-Key", acme);
              server.send(request);
              answered.incrementAndGet();
            });
      }
      attack.forEach(callers::execute);
      try {
        Poll.until("the tenant has all it may", () -> waiting.get() + answered.get() == 40);
        // Blocking routes of others are served meanwhile.
        admin.get("/api/v1/keys").is(200);
        admin.get(Api.BOARDS).is(200);
      } finally {
        release.countDown();
      }
    }
  }
}
