package dev.laurel.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, and what is under way on each. Only that loop calls it.
 *
 * <p>One rule ends the idle, the stalled and the malicious: a connection on which no request is
 * under way for {@code idle} is closed, whether or not bytes of an unfinished header drip in, and
 * whether or not it takes the bytes of the last answer. A body that is not complete after {@code
 * bodyTime} is answered with 408. A sweep each second enforces both, so requests cost no timers.
 */
final class OpenConnections {
  /** One of them. */
  static final class State {
    private @Nullable Exchange exchange;
    private @Nullable BodyReader body;
    private long idleSince;

    /** What the fast lane could not answer; its request is the next that comes by Vert.x. */
    private @Nullable Exchange left;

    void left(@Nullable Exchange exchange) {
      left = exchange;
    }

    /** A request was answered that was never under way. */
    void used(long now) {
      idleSince = now;
    }
  }

  private final ConnectionCap cap;
  private final long idleNanos;
  private final long bodyNanos;
  private final Map<HttpConnection, State> open = new HashMap<>();

  OpenConnections(ConnectionCap cap, HttpOptions options) {
    this.cap = cap;
    this.idleNanos = options.idle().toNanos();
    this.bodyNanos = options.bodyTime().toNanos();
  }

  /** Null if it is refused. */
  @Nullable State connected(HttpConnection connection) {
    if (!cap.enter()) {
      connection.close();
      return null;
    }
    State state = new State();
    state.idleSince = System.nanoTime();
    open.put(connection, state);
    if (connection instanceof ConnectionBase base) {
      // Not the connection's own handler: after an upgrade to a WebSocket it is not called.
      base.channel().closeFuture().addListener(_ -> closed(connection));
    } else {
      connection.closeHandler(_ -> closed(connection));
    }
    return state;
  }

  private void closed(HttpConnection connection) {
    State state = open.remove(connection);
    if (state == null) {
      return;
    }
    cap.leave();
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
      Exchange exchange = state.exchange;
      if (exchange == null) {
        if (now - state.idleSince > idleNanos) {
          entry.getKey().close();
        }
      } else if (body != null && now - exchange.startNanos > bodyNanos) {
        body.tooSlow(TimeUnit.NANOSECONDS.toSeconds(bodyNanos));
      }
    }
  }
}
