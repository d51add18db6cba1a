package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Laurel;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was small by itself, and helps whoever looks for a way in. */
class SmallLeaksTest {
  @TempDir Path folder = Path.of("");

  @Test
  void guessing_onARouteOfStreams_isCountedAsElsewhere() {
    try (TestServer server = TestServer.start(s -> s.with(Settings.ADDRESS_RATE, "10"), _ -> {})) {
      Api.admin(server).board("open", "'visibility':'PUBLIC'");
      int refused = 0;
      for (int i = 0; i < 30; i++) {
        Answer answer =
            Api.anonymous(server).with("X-API-Key", "guess-" + i).get(Api.BOARDS + "/open/stream");
        refused += answer.status() == 429 ? 1 : 0;
      }
      assertThat(refused).isBetween(10, 25);
    }
  }

  @Test
  void upgrade_thatFails_keepsNoPlace() throws IOException {
    try (TestServer server =
        TestServer.start(s -> s.with(Settings.SSE_CLIENTS_PER_ADDRESS, "2"), _ -> {})) {
      Api.admin(server).board("open", "'visibility':'PUBLIC'");
      String path = Api.BOARDS + "/open/stream";
      // Without a Sec-WebSocket-Key; again and again on connections that stay open.
      String upgrade =
          "GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
              .formatted(path);
      try (Socket first = server.connect();
          Socket second = server.connect();
          Socket third = server.connect()) {
        for (Socket socket : List.of(first, second, third)) {
          socket.getOutputStream().write(upgrade.getBytes(StandardCharsets.US_ASCII));
          byte[] some = new byte[4096];
          int n = socket.getInputStream().read(some);
          assertThat(new String(some, 0, Math.max(0, n), StandardCharsets.US_ASCII))
              .doesNotContain(" 101 ")
              .doesNotContain(" 429 ");
        }
        try (Socket good = server.connect()) {
          good.getOutputStream()
              .write(
                  "GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
                      .formatted(path)
                      .getBytes(StandardCharsets.US_ASCII));
          byte[] some = new byte[64];
          int n = good.getInputStream().read(some);
          assertThat(new String(some, 0, n, StandardCharsets.US_ASCII)).contains(" 200 ");
        }
      }
    }
  }

  @Test
  void token_thatExpires_makesNothingThatDoesNot() {
    try (TestIssuer issuer = new TestIssuer();
        TestServer server = TestServer.start(issuer.settings(), _ -> {})) {
      String token = issuer.token("ops", c -> c.claim("scope", "laurel:read laurel:manage"));
      Api bearer = Api.anonymous(server).with("Authorization", "Bearer " + token);
      bearer.get("/api/v1/keys").is(200);
      bearer.post("/api/v1/keys", "{'name':'lasting','scopes':['read']}").refused(403, "FORBIDDEN");
      bearer
          .post("/api/v1/issuers", "{'issuer':'i','audience':'a','jwksUrl':'https://x.example/'}")
          .refused(403, "FORBIDDEN");
    }
  }

  @Test
  void publicBoard_toStrangers_doesNotNameItsKey() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      String board = admin.board("open", "'visibility':'PUBLIC'");
      Api nobody = Api.anonymous(server);
      assertThat(nobody.get(board).is(200).text()).doesNotContain("createdBy");
      assertThat(nobody.get(Api.BOARDS).is(200).text()).doesNotContain("createdBy");
      assertThat(admin.get(board).is(200).at("/createdBy")).isEqualTo("admin");
      assertThat(admin.get(Api.BOARDS).is(200).at("/leaderboards/0/createdBy")).isEqualTo("admin");
    }
  }

  @Test
  void boardName_thatAPathCannotHave_isRefused() {
    try (TestServer server = TestServer.start()) {
      for (String name : List.of(".", "..")) {
        Api.admin(server)
            .post(Api.BOARDS, "{'UUID':'" + name + "'}")
            .refused(400, "VALIDATION_ERROR");
      }
      Api.admin(server).board("...");
    }
  }

  @Test
  void files_ofANewServer_areForItsOwnAccountOnly() throws IOException {
    Path data = folder.resolve("data");
    Path keyFile = folder.resolve("admin.key");
    Configuration settings =
        Configuration.defaults()
            .with(Settings.PORT, "0")
            .with(Settings.DATA, data.toString())
            .with(Settings.ADMIN_KEY_FILE, keyFile.toString());
    try (Laurel laurel = Laurel.start(settings)) {
      assertThat(rights(data)).isEqualTo("rwx------");
      try (var files = Files.list(data)) {
        for (Path file : files.filter(f -> f.toString().contains("laurel.db")).toList()) {
          assertThat(rights(file)).as(file.toString()).isEqualTo("rw-------");
        }
      }
      // Nor is the key shown where logs are kept.
      assertThat(laurel.generatedAdminKey()).isNull();
      assertThat(rights(keyFile)).isEqualTo("rw-------");
      assertThat(Files.readString(keyFile).strip()).startsWith("laurel_");
    }
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
