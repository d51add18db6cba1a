package dev.laurel.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, and what is under way on each. Only that loop calls it.
 *
 * <p>One rule ends the idle, the stalled and the malicious: a connection on which no request is
 * under way is closed when its {@link Patience} is over, whether or not bytes of an unfinished head
 * drip in, and whether or not it takes the bytes of the last answer. A body that takes too long or
 * hardly moves is answered with 408. A sweep each second enforces it, so requests cost no timers.
 */
final class OpenConnections {
  /** One of them. */
  static final class State {
    private final ConnectionCap.Place place;
    private final InetAddress peer;
    private final long since = System.nanoTime();
    private @Nullable Exchange exchange;
    private @Nullable BodyReader body;
    private long idleSince = since;

    /** Whether a head has begun that is not complete; a new connection is asked for one. */
    private boolean insideHead = true;

    private long headSince = since;

    /** What the fast lane could not answer; its request is the next that comes by Vert.x. */
    private @Nullable Exchange left;

    private State(ConnectionCap.Place place, InetAddress peer) {
      this.place = place;
      this.peer = peer;
    }

    /** Whether it is beyond the cap, and may only ask how the server is. */
    boolean isProbe() {
      return place == ConnectionCap.Place.PROBE;
    }

    /** Bytes came that are not a whole head yet. */
    void headBegun() {
      if (!insideHead) {
        insideHead = true;
        headSince = System.nanoTime();
      }
    }

    void headRead() {
      insideHead = false;
    }

    void left(@Nullable Exchange exchange) {
      left = exchange;
    }

    /** A request was answered that was never under way. */
    void used(long now) {
      idleSince = now;
    }
  }

  /** How long a connection that is beyond the cap may stay. */
  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final ConnectionCap cap;
  private final Patience patience;
  private final Map<HttpConnection, State> open = new HashMap<>();

  OpenConnections(ConnectionCap cap, Patience patience) {
    this.cap = cap;
    this.patience = patience;
  }

  /** Null if it is refused. */
  @Nullable State connected(HttpConnection connection) {
    InetAddress peer = peer(connection);
    ConnectionCap.Place place = cap.enter(peer);
    if (place == ConnectionCap.Place.NONE) {
      connection.close();
      return null;
    }
    State state = new State(place, peer);
    open.put(connection, state);
    if (connection instanceof ConnectionBase base) {
      // Not the connection's own handler: after an upgrade to a WebSocket it is not called.
      base.channel().closeFuture().addListener(_ -> closed(connection));
    } else {
      connection.closeHandler(_ -> closed(connection));
    }
    return state;
  }

  private static InetAddress peer(HttpConnection connection) {
    SocketAddress remote = connection.remoteAddress();
    String address = remote == null ? null : remote.hostAddress();
    return address == null ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(address);
  }

  private void closed(HttpConnection connection) {
    State state = open.remove(connection);
    if (state == null) {
      return;
    }
    cap.leave(state.peer, state.place);
    Exchange exchange = state.exchange;
    if (exchange != null) {
      // No handler has it yet if its body was still to come, so nobody else will end it.
      exchange.disconnected(state.body != null);
    }
  }

  /** HTTP/1.1 answers in order, so a connection has one exchange at a time. */
  void begun(Exchange exchange) {
    State state = open.get(exchange.raw().connection());
    if (state != null) {
      exchange.before = state.left;
      state.left = null;
      state.exchange = exchange;
    }
  }

  void reading(Exchange exchange, BodyReader body) {
    State state = open.get(exchange.raw().connection());
    if (state != null) {
      state.body = body;
    }
  }

  void bodyRead(Exchange exchange) {
    State state = open.get(exchange.raw().connection());
    if (state != null) {
      state.body = null;
    }
  }

  void ended(Exchange exchange) {
    State state = open.get(exchange.raw().connection());
    if (state != null) {
      state.exchange = null;
      state.body = null;
      state.idleSince = System.nanoTime();
    }
  }

  void sweep() {
    long now = System.nanoTime();
    // Closing calls back into the map: look first, act afterwards.
    for (Map.Entry<HttpConnection, State> entry : Map.copyOf(open).entrySet()) {
      State state = entry.getValue();
      BodyReader body = state.body;
      if (state.exchange == null) {
        if (isOver(state, now)) {
          entry.getKey().close();
        }
      } else if (body != null) {
        body.look(now, patience);
      }
    }
  }

  /** Of one without a request under way. */
  private boolean isOver(State state, long now) {
    return now - state.idleSince > patience.idle().toNanos()
        || (state.insideHead && now - state.headSince > patience.head().toNanos())
        || (state.isProbe() && now - state.since > PROBE_NANOS);
  }
}
