package dev.laurel.server.live;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The streams of one event loop. Only that loop calls it, but for the constructor. */
final class LoopStreams {
  /**
   * Connections that are written to before requests get their turn: some tenths of a millisecond.
   */
  private static final int SLICE = 32;

  /** How long a stream may outlive what it was opened with. */
  private static final int CHECK_SECONDS = 2;

  private static final int RETRY_LEAST = 1000;
  private static final int RETRY_SPREAD = 5000;

  private final EventLoop loop;
  private final Set<LiveConnection> open = new LinkedHashSet<>();
  private final Map<Framing, byte[]> heartbeats = new EnumMap<>(Framing.class);

  LoopStreams(EventLoop loop, long heartbeatMillis) {
    this.loop = loop;
    for (Framing framing : Framing.values()) {
      heartbeats.put(framing, framing.heartbeat());
    }
    loop.scheduleAtFixedRate(this::beat, heartbeatMillis, heartbeatMillis, TimeUnit.MILLISECONDS);
    loop.scheduleAtFixedRate(
        () -> check(open.toArray(LiveConnection[]::new), 0),
        CHECK_SECONDS,
        CHECK_SECONDS,
        TimeUnit.SECONDS);
  }

  EventLoop loop() {
    return loop;
  }

  void add(LiveConnection connection) {
    open.add(connection);
  }

  void remove(LiveConnection connection) {
    open.remove(connection);
  }

  private void beat() {
    for (Framing framing : Framing.values()) {
      Collection<LiveConnection> some =
          open.stream().filter(connection -> connection.framing() == framing).toList();
      byte[] heartbeat = heartbeats.get(framing);
      if (heartbeat != null && !some.isEmpty()) {
        send(some, heartbeat, _ -> {});
      }
    }
  }

  /** Ends those that may not be watched any more, slice by slice as {@link #slice} sends. */
  private void check(LiveConnection[] connections, int from) {
    int to = Math.min(connections.length, from + SLICE);
    for (int i = from; i < to; i++) {
      LiveConnection connection = connections[i];
      if (open.contains(connection) && !connection.isAllowed()) {
        open.remove(connection);
        connection.refuse();
      }
    }
    if (to < connections.length) {
      loop.schedule(() -> check(connections, to), 0, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Sends to those who are there now, slice by slice.
   *
   * @param done gets how many it was sent to
   */
  void send(Collection<LiveConnection> connections, byte[] message, IntConsumer done) {
    // Outside of the heap once, instead of for every connection.
    ByteBuf shared = Unpooled.directBuffer(message.length).writeBytes(message);
    slice(connections.toArray(LiveConnection[]::new), 0, 0, shared, done);
  }

  private void slice(
      LiveConnection[] connections, int from, int sent, ByteBuf shared, IntConsumer done) {
    int to = Math.min(connections.length, from + SLICE);
    int count = sent;
    for (int i = from; i < to; i++) {
      if (connections[i].write(shared)) {
        count++;
      }
    }
    if (to == connections.length) {
      shared.release();
      done.accept(count);
      return;
    }
    int so = count;
    // A task that is due now, unlike one that is executed, waits until the loop has looked at its
    // sockets.
    loop.schedule(() -> slice(connections, to, so, shared, done), 0, TimeUnit.NANOSECONDS);
  }

  /** Ends all of them. */
  void end() {
    for (LiveConnection connection : open.toArray(LiveConnection[]::new)) {
      end(connection);
    }
  }

  /** Ends one, unless that was done. Each is told to come back at another time. */
  void end(LiveConnection connection) {
    if (open.remove(connection)) {
      int millis = RETRY_LEAST + ThreadLocalRandom.current().nextInt(RETRY_SPREAD);
      connection.end(connection.framing().retry(millis));
    }
  }
}
