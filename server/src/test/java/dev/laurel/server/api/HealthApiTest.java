package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node of which a thread has ended says so, and is started anew by whoever probes it. */
class HealthApiTest {
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  @Test
  void ready_threadThatEnded_isRed() {
    Set<Thread> others = threads();
    try (TestServer server = TestServer.start()) {
      Api nobody = Api.anonymous(server);
      nobody.get("/api/v1/ready").is(200);
      nobody.get("/api/v1/health").is(200);
      // Nobody interrupts it otherwise: it takes that for the end.
      threads().stream()
          .filter(thread -> !others.contains(thread))
          .filter(thread -> thread.getName().equals("laurel-archive"))
          .forEach(Thread::interrupt);
      Poll.until("it is seen", () -> nobody.get("/api/v1/ready").status() == 503);
      Answer ready = nobody.get("/api/v1/ready").refused(503, "NODE_FAILED");
      assertThat(ready.message()).contains("laurel-archive");
      nobody.get("/api/v1/health").refused(503, "NODE_FAILED");
      nobody.get("/v1/healthz").refused(503, "NODE_FAILED");
      assertThat(server.get("/metrics").body()).contains("laurel_threads_lost 1.0");
    }
  }
}
