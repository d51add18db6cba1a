package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.Poll;
import dev.laurel.server.TestAuthority;
import dev.laurel.server.TestAuthority.Identity;
import dev.laurel.server.TestServer;
import dev.laurel.server.client.ClientTls;
import dev.laurel.server.settings.ClientCertificates;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.SettingException;
import dev.laurel.server.settings.Settings;
import io.netty.handler.ssl.JdkSslContext;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, with certificates that are made for the test. */
@SuppressWarnings("NullAway.Init") // set before every test
class TlsTest {
  private static final String LANE = "/t/lane";

  @TempDir static Path shared;
  private static TestAuthority authority;
  private static TestAuthority stranger;
  private static Identity first;
  private static Identity second;
  private static Identity service;
  private static Identity foreign;

  @TempDir Path folder;
  private Path cert;
  private Path key;
  private @Nullable TestServer started;

  @BeforeAll
  static void certify() throws IOException {
    authority = new TestAuthority(shared, "authority");
    // By the name of the other, so that clients find their certificates fit to be shown.
    stranger = new TestAuthority(Files.createDirectory(shared.resolve("strange")), "authority");
    first = authority.issue("first");
    second = authority.issue("second");
    service = authority.issue("service");
    foreign = stranger.issue("foreign");
  }

  @BeforeEach
  void place() throws IOException {
    cert = Files.copy(first.cert(), folder.resolve("cert.pem"));
    key = Files.copy(first.key(), folder.resolve("key.pem"));
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private TestServer start(UnaryOperator<Configuration> more) {
    started =
        TestServer.start(
            s ->
                more.apply(
                    s.with(Settings.TLS_CERT, cert.toString())
                        .with(Settings.TLS_KEY, key.toString())),
            table -> table.get(LANE, Kind.HOT, Access.PUBLIC, TlsTest::who));
    return started;
  }

  private static void who(Exchange e) {
    e.json(new JsonOut(32).string(FastLaneTest.who(e)));
  }

  private static ClientTls tls(@Nullable Identity shown) {
    return ClientTls.of(
        authority.certificate().toString(),
        shown == null ? null : shown.cert().toString(),
        shown == null ? null : shown.key().toString());
  }

  private static HttpResponse<String> call(HttpClient client, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private SSLSocket connect(TestServer server) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            ((JdkSslContext) tls(null).netty())
                .context()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.port());
    socket.setSoTimeout(120_000);
    socket.startHandshake();
    return socket;
  }

  private static String shown(SSLSocket socket) throws IOException {
    return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  /** One answer of the fast lane on an open connection. */
  private static String ask(SSLSocket socket) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET " + LANE + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("\"lane\"") && !text.toString().endsWith("\"vertx\"")) {
      int b = socket.getInputStream().read();
      assertThat(b).as(text.toString()).isNotNegative();
      text.append((char) b);
    }
    return text.toString();
  }

  @Test
  void streams_overTls_areReadable() throws Exception {
    TestServer server = start(s -> s);
    try (HttpClient client = tls(null).client()) {
      call(
          client,
          server
              .request("/api/v1/leaderboards")
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"UUID\":\"b\",\"visibility\":\"PUBLIC\"}")));
      HttpResponse<InputStream> stream =
          client.send(
              server.anonymous("/api/v1/leaderboards/b/stream").build(),
              HttpResponse.BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
        assertThat(lines.readLine()).isEqualTo("retry: 2000");
        assertThat(lines.readLine()).isEmpty();
        assertThat(lines.readLine()).startsWith("id: ");
        assertThat(lines.readLine()).isEqualTo("event: leaderboard.snapshot");
      }
    }
  }

  @Test
  void reads_overTls_areAnsweredByTheLaneWithTheHeadersOfEveryAnswer() throws Exception {
    TestServer server = start(s -> s);
    assertThat(server.laurel().url()).startsWith("https://127.0.0.1:");
    try (HttpClient client = tls(null).client()) {
      HttpResponse<String> lane = call(client, server.anonymous(LANE));
      assertThat(lane.body()).isEqualTo("\"lane\"");
      HttpResponse<String> absent = call(client, server.anonymous("/nothing"));
      assertThat(absent.statusCode()).isEqualTo(404);
      HttpResponse<String> page = call(client, server.anonymous("/"));
      for (HttpResponse<String> each : List.of(lane, absent, page)) {
        assertThat(each.headers().map())
            .containsEntry("strict-transport-security", List.of("max-age=15552000"))
            .containsEntry("x-content-type-options", List.of("nosniff"))
            .containsEntry("referrer-policy", List.of("no-referrer"));
      }
      assertThat(page.headers().firstValue("content-security-policy").orElse(""))
          .contains("frame-ancestors");
      HttpResponse<String> made =
          call(
              client,
              server
                  .request("/api/v1/leaderboards")
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString("{\"UUID\":\"b\"}")));
      assertThat(made.statusCode()).isEqualTo(201);
    }
  }

  @Test
  void hsts_behindAProxy_isSaidIfTheSettingSaysSo() {
    try (TestServer plain = TestServer.start()) {
      assertThat(plain.get("/v1/healthz").headers().map())
          .doesNotContainKey("strict-transport-security")
          .containsEntry("referrer-policy", List.of("no-referrer"));
    }
    try (TestServer told = TestServer.start(s -> s.with(Settings.HSTS_SECONDS, "60"), _ -> {})) {
      for (String path : List.of("/v1/healthz", "/nothing")) {
        assertThat(told.get(path).headers().allValues("strict-transport-security"))
            .containsExactly("max-age=60");
      }
    }
  }

  @Test
  void followCertificates_newPair_isShownToNewConnectionsAndOldOnesGoOn() throws Exception {
    TestServer server = start(s -> s);
    try (SSLSocket old = connect(server)) {
      assertThat(shown(old)).isEqualTo("CN=first");
      replace(second.cert(), cert);
      replace(second.key(), key);
      Poll.until("the new certificate", () -> current(server).equals("CN=second"));
      assertThat(ask(old)).contains("\"lane\"");
      assertThat(shown(old)).isEqualTo("CN=first");
    }
  }

  private String current(TestServer server) {
    try (SSLSocket socket = connect(server)) {
      return shown(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void changed_filesThatAreNotAPairYet_areLeftUntilTheyAre() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      TlsFiles files = new TlsFiles(cert, key, null, ClientCertificates.OPTIONAL);
      Certificates certificates = new Certificates(files, vertx);
      assertThat(certificates.changed()).isNull();
      replace(second.cert(), cert);
      assertThat(certificates.changed()).isNull();
      Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n");
      assertThat(certificates.changed()).isNull();
      Files.delete(key);
      assertThat(certificates.changed()).isNull();
      replace(second.key(), key);
      assertThat(certificates.changed()).isNotNull();
      assertThat(certificates.changed()).isNull();
    } finally {
      vertx.close().await();
    }
  }

  private static void replace(Path from, Path to) throws IOException {
    Path next = to.resolveSibling("next");
    Files.copy(from, next);
    Files.move(next, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void start_filesThatDoNotFit_isRefusedInWords() throws Exception {
    replace(second.key(), key);
    assertThatThrownBy(() -> start(s -> s))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("expected: the key to the certificate in " + cert);
    Files.delete(key);
    assertThatThrownBy(() -> start(s -> s))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("tls-key: " + key + " cannot be read");
    assertThatThrownBy(
            () -> TestServer.start(s -> s.with(Settings.TLS_CERT, cert.toString()), _ -> {}))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("expected: the certificate and its key");
    replace(first.key(), key);
    Path nonsense = Files.writeString(folder.resolve("ca.pem"), "nonsense");
    assertThatThrownBy(() -> start(s -> s.with(Settings.TLS_CLIENT_CA, nonsense.toString())))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("tls-client-ca: " + nonsense);
  }

  @Test
  void clientCertificates_ofServices_areNeededOnTheirRoutesOnly() throws Exception {
    TestServer server =
        start(s -> s.with(Settings.TLS_CLIENT_CA, authority.certificate().toString()));
    try (HttpClient nobody = tls(null).client();
        HttpClient known = tls(service).client();
        HttpClient other = tls(foreign).client()) {
      assertThat(call(nobody, server.anonymous(LANE)).body()).isEqualTo("\"lane\"");
      assertThat(call(nobody, server.request("/api/v1/leaderboards")).statusCode()).isEqualTo(200);
      HttpResponse<String> missing = call(nobody, server.request("/api/v1/tenants"));
      assertThat(missing.statusCode()).isEqualTo(403);
      assertThat(missing.body()).contains("CERTIFICATE_REQUIRED");
      assertThat(call(known, server.request("/api/v1/tenants")).statusCode()).isEqualTo(200);
      // A certificate is not a key.
      assertThat(call(known, server.anonymous("/api/v1/tenants")).statusCode()).isEqualTo(401);
      assertThatThrownBy(() -> call(other, server.anonymous(LANE))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void clientCertificates_ofAll_areNeededToConnect() throws Exception {
    TestServer server =
        start(
            s ->
                s.with(Settings.TLS_CLIENT_CA, authority.certificate().toString())
                    .with(Settings.TLS_CLIENTS, "all"));
    try (HttpClient nobody = tls(null).client();
        HttpClient known = tls(service).client()) {
      assertThatThrownBy(() -> call(nobody, server.anonymous(LANE)))
          .isInstanceOf(IOException.class);
      assertThat(call(known, server.anonymous(LANE)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void client_thatDoesNotTrustTheServer_doesNotTalkToIt() {
    TestServer server = start(s -> s);
    ClientTls distrusting = ClientTls.of(stranger.certificate().toString(), null, null);
    try (HttpClient client = distrusting.client()) {
      assertThatThrownBy(() -> call(client, server.anonymous(LANE)))
          .isInstanceOf(SSLException.class);
    }
  }
}
