package dev.laurel.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whoever guesses is seen, and what was guessed is not written down. */
class RefusedCredentialsTest {
  private static List<String> lines(String plain) {
    Logger logger = (Logger) LoggerFactory.getLogger("laurel.refused");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (TestServer server =
        TestServer.start(s -> s.with(Settings.LOG_ADDRESSES, plain), _ -> {})) {
      for (int i = 0; i < 30; i++) {
        assertThat(
                server
                    .send(server.anonymous("/api/v1/keys").header("X-API-Key", "guess-" + i))
                    .statusCode())
            .isEqualTo(401);
      }
    } finally {
      logger.detachAppender(lines);
    }
    return lines.list.stream().map(line -> line.getKeyValuePairs().toString()).toList();
  }

  @Test
  void log_manyWrongKeys_hasSomeWithAHashOfTheAddress() {
    List<String> lines = lines("false");
    assertThat(lines).hasSizeBetween(1, 29).allMatch(line -> line.contains("/api/v1/keys"));
    assertThat(lines.toString()).doesNotContain("guess-").doesNotContain("127.0.0.1");
  }

  @Test
  void log_ifTheOperatorWantsIt_hasTheAddress() {
    assertThat(lines("true")).isNotEmpty().allMatch(line -> line.contains("127.0.0.1"));
  }
}
