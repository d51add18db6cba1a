package dev.laurel.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutboundClientTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static OutboundClient.Call get(int port, Duration deadline) {
    return new OutboundClient.Call(
        HttpMethod.GET,
        URI.create("http://name.invalid:" + port + "/a?b=c"),
        false,
        Map.of(),
        null,
        100,
        deadline);
  }

  @Test
  void send_nameThatAnswersDifferentlyNextTime_connectsToTheAddressThatWasChecked()
      throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String said = exchange.getRequestHeaders().getFirst("Host") + exchange.getRequestURI();
            byte[] body = said.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    AtomicInteger looks = new AtomicInteger();
    int port = server.getAddress().getPort();
    try (OutboundClient client =
        new OutboundClient(
            true,
            _ ->
                List.of(
                    looks.incrementAndGet() == 1 ? LOOPBACK : InetAddress.ofLiteral("0.0.0.1")))) {
      OutboundClient.Answer answer = client.send(get(port, Duration.ofMinutes(1)));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .isEqualTo("name.invalid:" + port + "/a?b=c");
      assertThat(looks).hasValue(1);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void send_oneOfSeveralAddressesIsPrivate_isRefusedBeforeAnyIsAsked() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 10, LOOPBACK);
        OutboundClient client =
            new OutboundClient(false, _ -> List.of(InetAddress.ofLiteral("1.1.1.1"), LOOPBACK))) {
      assertThatThrownBy(() -> client.send(get(server.getLocalPort(), Duration.ofMinutes(1))))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("address: not public");
    }
  }

  @Test
  void send_headAndThenNothing_endsAtTheDeadline() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    try (ServerSocket server = new ServerSocket(0, 10, LOOPBACK);
        OutboundClient client = new OutboundClient(true, _ -> List.of(LOOPBACK))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var socket = server.accept()) {
                  socket
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"
                              .getBytes(StandardCharsets.US_ASCII));
                  var _ =
                      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                } catch (IOException e) {
                  // Cut, as expected.
                }
                ended.countDown();
              });
      assertThatThrownBy(() -> client.send(get(server.getLocalPort(), Duration.ofSeconds(1))))
          .isInstanceOf(HttpTimeoutException.class);
      ended.await(); // The connection goes with it.
    }
  }

  @Test
  void send_answerTooLong_isCut() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[200]);
          }
        });
    server.start();
    try (OutboundClient client = new OutboundClient(true, _ -> List.of(LOOPBACK))) {
      assertThatThrownBy(
              () -> client.send(get(server.getAddress().getPort(), Duration.ofMinutes(1))))
          .hasMessageContaining("too long");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void send_resolverThatDoesNotAnswer_endsAtTheDeadline() {
    CountDownLatch never = new CountDownLatch(1);
    try (OutboundClient client =
        new OutboundClient(
            true,
            _ -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return List.of();
            })) {
      assertThatThrownBy(() -> client.send(get(1, Duration.ofMillis(200))))
          .isInstanceOf(HttpTimeoutException.class);
    } finally {
      never.countDown();
    }
  }
}
