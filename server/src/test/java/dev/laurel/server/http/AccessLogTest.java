package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log says about requests that failed on our side. */
class AccessLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("laurel.access");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @BeforeEach
  void start() {
    lines.start();
    logger.addAppender(lines);
    server =
        TestServer.start(
            s -> s,
            table ->
                table
                    .get("/t/full", Kind.HOT, Access.PUBLIC, AccessLogTest::full)
                    .get("/t/crash", Kind.HOT, Access.PUBLIC, AccessLogTest::crash));
  }

  @AfterEach
  void stop() {
    server.close();
    logger.detachAppender(lines);
  }

  private static void full(Exchange exchange) {
    exchange.reject(Rejection.of(ErrorCode.OVERLOADED, "full"));
  }

  private static void crash(Exchange exchange) {
    throw new IllegalStateException("the cause of " + exchange.route());
  }

  private static String value(ILoggingEvent line, String key) {
    return line.getKeyValuePairs().stream()
        .filter(pair -> pair.key.equals(key))
        .map(pair -> String.valueOf(pair.value))
        .findFirst()
        .orElse("none");
  }

  @Test
  void log_unexpectedFailure_isAnErrorWithCodeAndCause() {
    assertThat(server.get("/t/crash").statusCode()).isEqualTo(500);
    assertThat(lines.list).hasSize(1);
    ILoggingEvent line = lines.list.getFirst();
    assertThat(line.getLevel()).isEqualTo(Level.ERROR);
    assertThat(value(line, "code")).isEqualTo("INTERNAL_ERROR");
    assertThat(value(line, "route")).isEqualTo("/t/crash");
    assertThat(value(line, "requestId")).isNotEqualTo("none");
    assertThat(line.getThrowableProxy().getMessage()).isEqualTo("the cause of GET /t/crash");
  }

  @Test
  void log_manyRefusals_areSampledAndCounted() {
    for (int i = 0; i < 200; i++) {
      assertThat(server.get("/t/full").statusCode()).isEqualTo(503);
    }
    // Others of the same kind are written, on a slow machine, every ten seconds.
    List<ILoggingEvent> some = List.copyOf(lines.list);
    assertThat(some.size()).isBetween(10, 100);
    assertThat(some).allMatch(line -> line.getLevel() == Level.WARN);
    assertThat(value(some.getFirst(), "code")).isEqualTo("OVERLOADED");
    assertThat(value(some.getFirst(), "why")).isEqualTo("full");
  }
}
