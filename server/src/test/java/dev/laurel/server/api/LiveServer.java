package dev.laurel.server.api;

import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server whose boards are watched: streams show signs of life and lose patience soon. */
abstract class LiveServer {
  /** So long that nobody, however slow, takes the end of the wait for the end of streams. */
  static final Duration SHUTDOWN = Duration.ofMinutes(8);

  final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  Api api;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            settings ->
                settings
                    .with(Settings.SSE_HEARTBEAT, "200")
                    .with(Settings.SSE_SLOW, "300")
                    .with(Settings.SSE_CLIENTS_PER_ADDRESS, "5")
                    .with(Settings.SHUTDOWN_SECONDS, "" + SHUTDOWN.toSeconds()),
            clock,
            _ -> {});
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  String board(String uuid, String... fields) {
    String[] all = new String[fields.length + 2];
    System.arraycopy(fields, 0, all, 2, fields.length);
    all[0] = "'visibility':'PUBLIC'";
    all[1] = "'update':'LATEST'";
    return api.board(uuid, all);
  }

  void score(String board, String user, long score) {
    // So that a later score of the same height comes after an earlier one.
    clock.turn(Duration.ofMillis(1));
    api.score(board, user, "'score':" + score).is(200);
  }

  String gauge(String name) {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElse("none");
  }
}
