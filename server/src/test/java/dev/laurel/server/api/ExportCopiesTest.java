package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports of a board whose ranks are in Redis: each holds a copy of the season. */
class ExportCopiesTest {
  private static final int ROWS = 30_000;

  @TempDir Path folder = Path.of("");

  @Test
  void export_ranksElsewhereAndNobodyReads_holdsFewCopiesForATenant() throws IOException {
    List<Socket> callers = new ArrayList<>();
    try (RedisServer redis = RedisServer.start(folder);
        TestServer server =
            TestServer.start(s -> s.with(Settings.REDIS_URL, redis.url()), _ -> {})) {
      Api api = Api.admin(server);
      String board = api.board("b");
      String metadata = ",\"metadata\":{\"a\":\"" + "x".repeat(600) + "\"}}";
      for (int i = 0; i < ROWS; i += 1000) {
        StringBuilder lines = new StringBuilder();
        for (int j = i; j < i + 1000; j++) {
          lines.append(j == i ? "" : ",").append("{\"userId\":\"u").append(j);
          lines.append("\",\"score\":").append(j).append(metadata);
        }
        api.raw("POST", board + "/scores", "{\"scores\":[" + lines + "]}").is(200);
      }
      for (int i = 0; i < 2; i++) {
        Socket caller = new Socket();
        callers.add(caller);
        caller.setReceiveBufferSize(4096); // so that what nobody reads stays with the server
        caller.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        caller
            .getOutputStream()
            .write(
                ("GET " + board + "/export HTTP/1.1\r\nHost: x\r\nX-API-Key: ")
                    .concat(TestServer.ADMIN_KEY + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(caller.getInputStream().read()).isEqualTo('H');
      }
      api.get(board + "/export").refused(429, "RATE_LIMITED");
      callers.getFirst().close();
      Poll.until("the place is free", () -> api.get(board + "/export").status() == 200);
    } finally {
      for (Socket caller : callers) {
        caller.close();
      }
    }
  }
}
