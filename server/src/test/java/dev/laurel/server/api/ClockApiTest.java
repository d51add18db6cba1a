package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A clock that somebody sets must not end seasons; one that is right must not stop them. */
class ClockApiTest {
  private static final String WINDOWS =
      "'update':'SUM','windows':[{'schedule':'daily'},{'schedule':'all-time'}]";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-15T12:00:00Z"));
  private TestServer server = TestServer.start(clock);
  private Api api = Api.admin(server);

  @AfterEach
  void stop() {
    server.close();
  }

  private String total(String board, String period) {
    return api.get(board + "/users/ann/rank?period=" + period).is(200).at("/score");
  }

  private String days(String board) {
    return api.get(board + "/seasons?period=daily").is(200).text();
  }

  @Test
  void jumpAhead_andBack_hasNoEffect() {
    String board = api.board("daily", WINDOWS);
    String endless = api.board("endless", "'update':'SUM'");
    api.score(board, "ann", "'score':1").is(200);
    String before = days(board);
    clock.jump(Duration.ofDays(1));
    api.score(board, "ann", "'score':1").refused(503, "CLOCK_IN_DOUBT");
    // Where it does not matter which time it is, nothing is refused.
    api.score(endless, "ann", "'score':1").is(200);
    assertThat(api.get("/api/v1/ready").is(200).at("/clock")).isEqualTo("IN_DOUBT");
    Answer shown = api.get("/api/v1/clock").is(200);
    assertThat(shown.at("/state")).isEqualTo("IN_DOUBT");
    assertThat(shown.at("/trusted")).isEqualTo("2026-11-15T12:00:00Z");
    assertThat(shown.at("/claimed")).isEqualTo("2026-11-16T12:00:00Z");
    // The season job has turned several times; no season has moved.
    clock.turn(Duration.ofSeconds(6));
    api.score(board, "ann", "'score':1").refused(503, "CLOCK_IN_DOUBT");
    clock.jump(Duration.ofDays(-1));
    api.score(board, "ann", "'score':1").is(200);
    assertThat(total(board, "daily")).isEqualTo("2");
    assertThat(total(board, "all-time")).isEqualTo("2");
    assertThat(days(board)).isEqualTo(before);
    assertThat(api.get("/api/v1/clock").is(200).at("/state")).isEqualTo("KNOWN");
  }

  @Test
  void jumpAhead_confirmedByAnOperator_isCaughtUpWith() {
    String board = api.board("daily", WINDOWS);
    api.score(board, "ann", "'score':1").is(200);
    clock.jump(Duration.ofDays(1));
    api.score(board, "ann", "'score':1").refused(503, "CLOCK_IN_DOUBT");
    api.post("/api/v1/clock/confirm", "{'time':'2026-11-15T12:00:00Z'}")
        .refused(400, "VALIDATION_ERROR");
    assertThat(
            api.post("/api/v1/clock/confirm", "{'time':'2026-11-16T12:00:30Z'}")
                .is(200)
                .at("/state"))
        .isEqualTo("KNOWN");
    api.score(board, "ann", "'score':5").is(200);
    assertThat(total(board, "daily")).isEqualTo("5");
    assertThat(total(board, "all-time")).isEqualTo("6");
  }

  /** As after a laptop's sleep where the system does not count it. */
  @Test
  void jumpAhead_thatStays_isCaughtUpWithByItself() {
    String board = api.board("daily", WINDOWS);
    clock.jump(Duration.ofDays(1));
    api.score(board, "ann", "'score':1").refused(503, "CLOCK_IN_DOUBT");
    clock.turn(Duration.ofMinutes(5));
    Poll.until(
        "the clock is believed",
        () -> api.get("/api/v1/clock").is(200).at("/state").equals("KNOWN"));
    api.score(board, "ann", "'score':5").is(200);
    assertThat(total(board, "daily")).isEqualTo("5");
  }

  @Test
  void restart_whileTheClockIsInDoubt_doesNotMakeItRight() {
    String board = api.board("daily", WINDOWS);
    api.score(board, "ann", "'score':1").is(200);
    String before = days(board);
    clock.jump(Duration.ofDays(1));
    Poll.until(
        "the clock is in doubt",
        () -> api.get("/api/v1/clock").is(200).at("/state").equals("IN_DOUBT"));
    clock.turn(Duration.ofSeconds(1));
    Poll.until("it is written down", this::isWrittenDown);
    server = server.restart();
    api = Api.admin(server);
    api.score(board, "ann", "'score':1").refused(503, "CLOCK_IN_DOUBT");
    clock.jump(Duration.ofDays(-1));
    api.score(board, "ann", "'score':1").is(200);
    assertThat(days(board)).isEqualTo(before);
  }

  private boolean isWrittenDown() {
    try (Connection connection = DriverManager.getConnection(server.sqliteUrl());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT 1 FROM clock_views WHERE claimed <> trusted")) {
      return rows.next();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
