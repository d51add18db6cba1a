package dev.laurel.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server of this machine and behaves as networks do. Thread-safe.
 *
 * <p>What it is told holds for connections that are open and for those to come, until {@link
 * #heal}.
 */
public final class FaultProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;
  private volatile boolean stalled;
  private volatile long delayNanos;
  private volatile Watch watch = (toServer, bytes, length) -> Verdict.PASS;

  /** What to do with some bytes on their way. */
  public enum Verdict {
    PASS,
    /** They do not arrive, and the connection is reset. */
    CUT_BEFORE,
    /** They arrive, and then the connection is reset. */
    CUT_AFTER
  }

  /** Sees what passes, to cut a connection at a certain word. */
  @FunctionalInterface
  public interface Watch {
    Verdict see(boolean toServer, byte[] bytes, int length);
  }

  private record Link(Socket client, Socket server) {
    void reset() {
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.setSoLinger(true, 0); // a reset instead of an orderly end
          socket.close();
        } catch (IOException e) {
          // It is gone, which is what was wanted.
        }
      }
    }
  }

  private FaultProxy(int target, ServerSocket listener) {
    this.target = target;
    this.listener = listener;
  }

  /** A proxy on a free port in front of this one. */
  public static FaultProxy before(int target) {
    try {
      FaultProxy proxy =
          new FaultProxy(target, new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** New connections are reset as soon as they are made; what is open stays. */
  public void refuse() {
    refusing = true;
  }

  /** Resets what is open. */
  public void reset() {
    for (Link link : links) {
      link.reset();
    }
  }

  /** Nothing passes any more, and nobody is told. */
  public void stall() {
    stalled = true;
  }

  /** Everything arrives later by so much. */
  public void delay(long millis) {
    delayNanos = millis * 1_000_000;
  }

  /** Lets somebody decide about all that passes. */
  public void watch(Watch next) {
    watch = next;
  }

  /** Behaves from now on. */
  public void heal() {
    refusing = false;
    stalled = false;
    delayNanos = 0;
    watch = (toServer, bytes, length) -> Verdict.PASS;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        // Closed, or one connection less: the loop's condition knows.
      }
    }
  }

  private void connect(Socket client) {
    try {
      if (refusing) {
        client.setSoLinger(true, 0);
        client.close();
        return;
      }
      Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), target));
      link.client.setTcpNoDelay(true);
      link.server.setTcpNoDelay(true);
      links.add(link);
      Thread.ofVirtual().start(() -> pass(link, true));
      pass(link, false);
    } catch (IOException e) {
      // The server is not there: nor is the connection.
      new Link(client, client).reset();
    }
  }

  private void pass(Link link, boolean toServer) {
    byte[] bytes = new byte[65_536];
    try {
      InputStream in = (toServer ? link.client : link.server).getInputStream();
      OutputStream out = (toServer ? link.server : link.client).getOutputStream();
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        Verdict verdict = watch.see(toServer, bytes, length);
        if (verdict == Verdict.CUT_BEFORE) {
          break;
        }
        hold(link);
        out.write(bytes, 0, length);
        if (verdict == Verdict.CUT_AFTER) {
          break;
        }
      }
    } catch (IOException e) {
      // One side is gone; so is the other, below.
    } finally {
      links.remove(link);
      link.reset();
    }
  }

  private void hold(Link link) {
    LockSupport.parkNanos(delayNanos);
    while (stalled && !link.client.isClosed() && !listener.isClosed()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reset();
  }
}
