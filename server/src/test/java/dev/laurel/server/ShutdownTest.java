package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.http.Access;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.http.Kind;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private void slow(Exchange exchange) throws InterruptedException {
    entered.countDown();
    assertThat(release.await(2, TimeUnit.MINUTES)).isTrue();
    exchange.json(new JsonOut(8).string("done"));
  }

  @Test
  void close_requestUnderWay_isAnsweredWhileNewConnectionsAreRefused() throws Exception {
    closeWhileUnderWay(Kind.BLOCKING, this::slow);
  }

  @Test
  void close_answerOfTheEventLoopToCome_isWaitedFor() throws Exception {
    closeWhileUnderWay(
        Kind.HOT,
        exchange ->
            exchange.later(
                x ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              try {
                                slow(x);
                              } catch (InterruptedException e) {
                                x.fail(e);
                              }
                            })));
  }

  private void closeWhileUnderWay(Kind kind, Handler handler) throws Exception {
    TestServer server =
        TestServer.start(s -> s, table -> table.get("/t/slow", kind, Access.PUBLIC, handler));
    int port = server.port();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> server.get("/t/slow").body());
    assertThat(entered.await(2, TimeUnit.MINUTES)).isTrue();
    Thread closing = Thread.ofVirtual().start(server.laurel()::close);
    Poll.until("new connections are refused", () -> refuses(port));
    release.countDown();
    assertThat(answer.get(2, TimeUnit.MINUTES)).isEqualTo("\"done\"");
    closing.join();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
        .isInstanceOf(ConnectException.class);
    server.close(); // again, and removes its files
  }

  private static boolean refuses(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (java.io.IOException e) {
      return true;
    }
  }
}
