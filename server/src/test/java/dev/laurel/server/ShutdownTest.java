package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.http.Access;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.http.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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

  /** Each on a connection of its own, so that some are accepted while the server closes. */
  @Test
  void close_whileConnectionsCome_answersWhateverItHasHandled() throws Exception {
    for (int round = 0; round < 10; round++) {
      AtomicInteger handled = new AtomicInteger();
      TestServer server =
          TestServer.start(
              s -> s,
              table ->
                  table.post(
                      "/t/count",
                      Kind.BLOCKING,
                      Access.PUBLIC,
                      exchange -> {
                        LockSupport.parkNanos(1_000_000);
                        handled.incrementAndGet();
                        exchange.json(new JsonOut(8).string("done"));
                      }));
      int port = server.port();
      AtomicInteger answered = new AtomicInteger();
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        callers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      while (post(port, answered)) {
                        Thread.onSpinWait();
                      }
                    }));
      }
      Poll.until("some are answered", () -> answered.get() > 200);
      server.laurel().close();
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(answered.get()).isEqualTo(handled.get());
      server.close(); // again, and removes its files
    }
  }

  /** False if the server is not there any more. */
  private static boolean post(int port, AtomicInteger answered) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "POST /t/count HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                  .getBytes(StandardCharsets.US_ASCII));
      if (socket.getInputStream().read() == 'H') {
        answered.incrementAndGet();
      }
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
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
    } catch (IOException e) {
      return true;
    }
  }
}
