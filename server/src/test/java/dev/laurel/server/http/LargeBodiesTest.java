package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One large body does not keep all others of an event loop waiting. */
class LargeBodiesTest {
  @Test
  void hotRoute_largeBody_isHandledBesideTheEventLoop() {
    List<Boolean> besideTheLoop = Collections.synchronizedList(new ArrayList<>());
    try (TestServer server =
        TestServer.start(
            s -> s,
            table ->
                table.post(
                    "/t/hot",
                    Kind.HOT,
                    Access.READ,
                    exchange -> {
                      besideTheLoop.add(Thread.currentThread().isVirtual());
                      exchange.fields();
                      exchange.noContent();
                    }))) {
      assertThat(server.post("/t/hot", "{}").statusCode()).isEqualTo(204);
      assertThat(server.post("/t/hot", "{" + " ".repeat(65_534) + "}").statusCode()).isEqualTo(204);
      assertThat(server.post("/t/hot", "{" + " ".repeat(65_535) + "}").statusCode()).isEqualTo(204);
      assertThat(besideTheLoop).containsExactly(false, false, true);
    }
  }
}
