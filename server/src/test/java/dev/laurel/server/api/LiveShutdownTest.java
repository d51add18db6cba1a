package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.FaultProxy;
import dev.laurel.stack.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server stops whatever those do who watch. */
class LiveShutdownTest {
  /** What requests may take at the end; far more than what a test waits. */
  private static final String SHUTDOWN_SECONDS = "600";

  private static final int PATIENCE_MINUTES = 4;

  @Test
  void close_socketsWithFullQueues_areCutOff() throws Exception {
    try (TestServer server =
        TestServer.start(
            s ->
                s.with(Settings.SHUTDOWN_SECONDS, SHUTDOWN_SECONDS)
                    .with(Settings.SSE_SLOW, "600000"),
            _ -> {})) {
      Api api = Api.admin(server);
      String board = api.board("stuck", "'visibility':'PUBLIC'", "'update':'LATEST'");
      try (Socket _ =
              open(
                  server,
                  board + "/stream?top=100",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\n");
          Socket _ = open(server, board + "/stream?top=100", "")) {
        Poll.until("both are open", () -> clients(server) == 2);
        for (int round = 1; round <= 30; round++) {
          StringBuilder scores = new StringBuilder();
          for (int i = 0; i < 100; i++) {
            scores.append(i == 0 ? "" : ",");
            scores.append("{'userId':'%0100d','score':%d}".formatted(i, 100 * round + i));
          }
          api.post(board + "/scores", "{'scores':[" + scores + "]}").is(200);
          double told = 2 + 2 * round;
          Poll.until(
              "both are told", () -> Scrape.of(server).value("laurel_live_messages_total") >= told);
        }
        CompletableFuture.runAsync(server.laurel()::close).get(PATIENCE_MINUTES, TimeUnit.MINUTES);
      }
    }
  }

  @Test
  void close_streamsThatWaitForTheirBeginning_areEnded() throws Exception {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.newDatabase();
    try (FaultProxy proxy = FaultProxy.before(postgres.port());
        TestServer server =
            TestServer.start(
                s ->
                    s.with(Settings.SHUTDOWN_SECONDS, SHUTDOWN_SECONDS)
                        .with(
                            Settings.DATABASE_URL,
                            postgres
                                .url(database)
                                .replace(":" + postgres.port() + "/", ":" + proxy.port() + "/")),
                _ -> {})) {
      Api api = Api.admin(server);
      String board = api.board("slow", "'visibility':'PUBLIC'");
      api.score(board, "ann", "'score':1").is(200);
      proxy.stall();
      // Of somebody unknown, so the store is asked.
      try (Socket web =
              open(
                  server,
                  board + "/stream?user=nobody",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\n");
          Socket events = open(server, board + "/stream?user=nobody", "")) {
        Poll.until("both wait", () -> clients(server) == 2);
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(server.laurel()::close);
        try {
          // Its last frame says that the server goes away.
          assertThat(TestServer.readAll(web)).startsWith("HTTP/1.1 101 ").endsWith("\u0003\u00e9");
          assertThat(TestServer.readAll(events)).startsWith("HTTP/1.1 503 ").contains("OVERLOADED");
        } finally {
          proxy.heal(); // other parts of the server wait for the store
        }
        stopped.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
      }
    }
  }

  private static Socket open(TestServer server, String path, String more) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(120_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket
        .getOutputStream()
        .write(
            ("GET "
                    + path
                    + " HTTP/1.1\r\nHost: x\r\n"
                    + more
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static long clients(TestServer server) {
    return (long) Scrape.of(server).value("leaderboard_sse_clients");
  }
}
