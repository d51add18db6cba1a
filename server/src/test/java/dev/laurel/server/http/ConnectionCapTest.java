package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets a connection when there are too many. */
class ConnectionCapTest {
  private static final InetAddress PROXY = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress TWO = InetAddress.ofLiteral("192.0.2.2");

  private static ConnectionCap cap(int limit, int perAddress) {
    return new ConnectionCap(limit, perAddress, PROXY::equals);
  }

  private static int ordinary(ConnectionCap cap, InetAddress address, int connections) {
    int count = 0;
    for (int i = 0; i < connections; i++) {
      if (cap.enter(address) == ConnectionCap.Place.ORDINARY) {
        count++;
      }
    }
    return count;
  }

  @Test
  void enter_oneAddress_leavesRoomForOthers() {
    ConnectionCap cap = cap(100, 0);
    assertThat(ordinary(cap, ONE, 200)).isEqualTo(25);
    assertThat(ordinary(cap, TWO, 20)).isEqualTo(20);
    assertThat(cap.open()).isEqualTo(45);
  }

  @Test
  void enter_proxyAndThisMachine_speakForMany() {
    assertThat(ordinary(cap(100, 0), PROXY, 200)).isEqualTo(100);
    assertThat(ordinary(cap(100, 0), InetAddress.getLoopbackAddress(), 200)).isEqualTo(100);
    assertThat(ordinary(cap(100, 7), InetAddress.getLoopbackAddress(), 200)).isEqualTo(7);
    assertThat(ordinary(cap(100, 7), PROXY, 200)).isEqualTo(100);
  }

  @Test
  void enter_addressesOfOneIpv6Network_areOne() {
    ConnectionCap cap = cap(100, 10);
    int count = 0;
    for (int i = 1; i <= 30; i++) {
      count += ordinary(cap, InetAddress.ofLiteral("2001:db8:0:1::" + i), 1);
    }
    assertThat(count).isEqualTo(10);
    assertThat(ordinary(cap, InetAddress.ofLiteral("2001:db8:0:2::1"), 1)).isEqualTo(1);
  }

  @Test
  void leave_everyPlace_isThereAgain() {
    ConnectionCap cap = cap(4, 2);
    for (int round = 0; round < 100; round++) {
      List<ConnectionCap.Place> places = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        places.add(cap.enter(ONE));
      }
      assertThat(places)
          .containsExactly(
              ConnectionCap.Place.ORDINARY,
              ConnectionCap.Place.ORDINARY,
              ConnectionCap.Place.PROBE,
              ConnectionCap.Place.PROBE,
              ConnectionCap.Place.PROBE,
              ConnectionCap.Place.PROBE,
              ConnectionCap.Place.NONE,
              ConnectionCap.Place.NONE,
              ConnectionCap.Place.NONE,
              ConnectionCap.Place.NONE);
      places.forEach(place -> cap.leave(ONE, place));
      assertThat(cap.open()).isZero();
    }
  }

  @Test
  void connect_allTaken_healthIsAnsweredAndNothingElse() throws IOException {
    try (TestServer server =
        TestServer.start(
            s -> s.with(Settings.MAX_CONNECTIONS, "10").with(Settings.HEAD_SECONDS, "3600"),
            _ -> {})) {
      List<Socket> sockets = new ArrayList<>();
      try {
        for (int i = 0; i < 10; i++) {
          sockets.add(server.connect());
        }
        for (String path : List.of("/api/v1/health", "/api/v1/ready", "/v1/healthz")) {
          assertThat(ask(server, path)).startsWith("HTTP/1.1 200 ");
        }
        for (String path : List.of("/", "/metrics", "/api/v1/leaderboards/x/top")) {
          assertThat(ask(server, path)).doesNotContain("HTTP");
        }
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  private static String ask(TestServer server, String path) throws IOException {
    return server.raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }
}
