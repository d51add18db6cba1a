package dev.laurel.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Many clients of a stream on one thread. Each looks for {@code "score":N} and nothing else, so
 * that the crowd takes as little as possible of the machine it measures.
 */
final class SseCrowd implements AutoCloseable {
  private static final byte[] MARK = "\"score\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event: ".getBytes(StandardCharsets.US_ASCII);

  private final Selector selector = Selector.open();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
  private final InetSocketAddress server;
  private final byte[] request;
  private final int total;
  private final int atOnce;
  private final LongConsumer seen;
  private final Thread thread;
  private int begun;
  private int connecting;

  /** Clients that have got something. */
  final AtomicInteger watching = new AtomicInteger();

  final AtomicInteger lost = new AtomicInteger();
  final AtomicLong events = new AtomicLong();
  private volatile boolean closed;

  /** How far a client has got in what it looks for. */
  private static final class Client {
    int mark;
    int event;
    long number = -1;
    boolean watching;
  }

  /**
   * Begins to connect.
   *
   * @param atOnce connections that may be under way
   * @param seen called for every score, on the crowd's thread
   */
  SseCrowd(int port, String path, int total, int atOnce, LongConsumer seen) throws IOException {
    this.server = new InetSocketAddress("127.0.0.1", port);
    this.request =
        ("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    this.total = total;
    this.atOnce = atOnce;
    this.seen = seen;
    this.thread = Thread.ofPlatform().name("sse-crowd").daemon().start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        while (begun < total && connecting < atOnce) {
          connect();
        }
        selector.select(this::ready, 100);
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connect() throws IOException {
    begun++;
    connecting++;
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
    channel.register(selector, SelectionKey.OP_CONNECT, new Client());
    channel.connect(server);
  }

  private void ready(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    Client client = (Client) key.attachment();
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        key.interestOps(SelectionKey.OP_READ);
        channel.write(ByteBuffer.wrap(request));
        return;
      }
      buffer.clear();
      if (channel.read(buffer) < 0) {
        throw new IOException("closed");
      }
      read(client, buffer.flip());
    } catch (IOException e) {
      lost.incrementAndGet();
      if (!client.watching) {
        connecting--;
      }
      try {
        channel.close();
      } catch (IOException again) {
        throw new UncheckedIOException(again);
      }
    }
  }

  private void read(Client client, ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      byte b = bytes.get();
      client.event = b == EVENT[client.event] ? client.event + 1 : b == EVENT[0] ? 1 : 0;
      if (client.event == EVENT.length) {
        client.event = 0;
        events.incrementAndGet();
        if (!client.watching) {
          client.watching = true;
          connecting--;
          watching.incrementAndGet();
        }
      }
      if (client.number >= 0) {
        if (b >= '0' && b <= '9') {
          client.number = 10 * client.number + b - '0';
        } else {
          seen.accept(client.number);
          client.number = -1;
        }
      }
      client.mark = b == MARK[client.mark] ? client.mark + 1 : b == MARK[0] ? 1 : 0;
      if (client.mark == MARK.length) {
        client.mark = 0;
        client.number = 0;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
