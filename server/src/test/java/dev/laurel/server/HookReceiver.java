package dev.laurel.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Receives webhooks and answers as it is told. Thread-safe. */
public final class HookReceiver implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private volatile int answer = 200;
  private volatile Runnable beforeAnswer = () -> {};

  public HookReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Each message has its own thread: one that is held up holds up no other.
    server.setExecutor(threads);
    server.createContext("/", this::receive);
    server.start();
  }

  /** What arrived. */
  public record Message(
      String path,
      String event,
      String eventId,
      String delivery,
      String timestamp,
      String signature,
      String body) {}

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      messages.add(
          new Message(
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders().getFirst("Laurel-Event"),
              exchange.getRequestHeaders().getFirst("Laurel-Event-Id"),
              exchange.getRequestHeaders().getFirst("Laurel-Delivery"),
              exchange.getRequestHeaders().getFirst("Laurel-Timestamp"),
              exchange.getRequestHeaders().getFirst("Laurel-Signature"),
              body));
      beforeAnswer.run();
      exchange.getResponseHeaders().add("Location", url("/elsewhere"));
      exchange.sendResponseHeaders(answer, -1);
    }
  }

  public void answer(int status) {
    answer = status;
  }

  /** What to do when a message has come and the sender does not know yet. */
  public void beforeAnswer(Runnable action) {
    beforeAnswer = action;
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  public List<Message> messages() {
    return messages;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
