package dev.laurel.sql;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Does what PgBouncer does: clients share connections to the server. In transaction mode a client
 * has one from its first word until the server says that no transaction is open; whoever comes next
 * gets the one that was used last. In session mode a client keeps the one that it got.
 */
final class TransactionPooler implements AutoCloseable {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final int target;
  private final boolean sessionMode;
  private final ServerSocket listener;
  private final Deque<Server> idle = new ConcurrentLinkedDeque<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private TransactionPooler(int target, boolean sessionMode, ServerSocket listener) {
    this.target = target;
    this.sessionMode = sessionMode;
    this.listener = listener;
  }

  static TransactionPooler before(int target, boolean sessionMode) {
    try {
      TransactionPooler pooler =
          new TransactionPooler(
              target, sessionMode, new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().start(pooler::accept);
      return pooler;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        // Closed, or one connection less: the loop's condition knows.
      }
    }
  }

  /** One message: its type (0 for the first of a connection) and what follows its length. */
  private record Message(int type, byte[] body) {
    static Message read(DataInputStream in, boolean first) throws IOException {
      int type = first ? 0 : in.readUnsignedByte();
      byte[] body = new byte[in.readInt() - Integer.BYTES];
      in.readFully(body);
      return new Message(type, body);
    }

    void write(DataOutputStream out) throws IOException {
      if (type != 0) {
        out.writeByte(type);
      }
      out.writeInt(body.length + Integer.BYTES);
      out.write(body);
    }
  }

  private static final class Wire {
    final DataInputStream in;
    final DataOutputStream out;

    Wire(Socket socket) throws IOException {
      socket.setTcpNoDelay(true);
      this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }
  }

  /** A connection to the server, and what it said when it was made. */
  private final class Server {
    final Socket socket;
    final Wire wire;

    Server(Message startup, @Nullable Wire client, boolean release) throws IOException {
      this.socket = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(socket);
      this.wire = new Wire(socket);
      startup.write(wire.out);
      wire.out.flush();
      relay(client, release);
    }

    /**
     * Passes on what the server says until it is ready; whether a transaction is open then.
     *
     * @param release whether it is anybody's if none is open: before the client hears that, so that
     *     the client's next word may get it
     */
    boolean relay(@Nullable Wire client, boolean release) throws IOException {
      while (true) {
        Message message = Message.read(wire.in, false);
        if (client != null) {
          message.write(client.out);
        }
        if (message.type == 'Z') {
          boolean open = message.body[0] != 'I';
          if (release && !open) {
            idle.addFirst(this);
          }
          if (client != null) {
            client.out.flush();
          }
          return open;
        }
      }
    }
  }

  private void serve(Socket socket) {
    sockets.add(socket);
    try (socket) {
      Wire client = new Wire(socket);
      Message startup = startup(client);
      Server _ = new Server(startup, client, true);
      serve(client, startup);
    } catch (EOFException e) {
      // The client has left.
    } catch (IOException e) {
      // One side is gone.
    }
  }

  private static Message startup(Wire client) throws IOException {
    while (true) {
      Message first = Message.read(client.in, true);
      int code = java.nio.ByteBuffer.wrap(first.body).getInt();
      if (code != SSL_REQUEST && code != GSS_REQUEST) {
        return first;
      }
      client.out.writeByte('N');
      client.out.flush();
    }
  }

  private void serve(Wire client, Message startup) throws IOException {
    Server server = null;
    while (true) {
      Message message = Message.read(client.in, false);
      if (message.type == 'X') {
        return; // it leaves, and the server's side is of no use without a reset
      }
      if (server == null) {
        server = idle.pollFirst();
        if (server == null) {
          server = new Server(startup, null, false);
        }
      }
      message.write(server.wire.out);
      if (message.type == 'Q' || message.type == 'S') {
        server.wire.out.flush();
        boolean open = server.relay(client, !sessionMode);
        if (!open && !sessionMode) {
          server = null;
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
