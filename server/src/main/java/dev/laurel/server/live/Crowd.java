package dev.laurel.server.live;

import dev.laurel.core.live.Audience;
import io.micrometer.core.instrument.Counter;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections that watch the same, on all event loops. Thread-safe. */
final class Crowd implements Audience {
  private final Counter delivered;

  /** The connections of a loop belong to that loop. */
  private final Map<LoopStreams, Set<LiveConnection>> byLoop = new ConcurrentHashMap<>();

  Crowd(Counter delivered) {
    this.delivered = delivered;
  }

  /** Before the hub tells anything that a connection of this loop has to hear. */
  void reach(LoopStreams loop) {
    byLoop.computeIfAbsent(loop, _ -> new LinkedHashSet<>());
  }

  /** On the connection's loop. */
  void add(LoopStreams loop, LiveConnection connection) {
    Set<LiveConnection> here = byLoop.get(loop);
    if (here != null) {
      here.add(connection);
    }
  }

  /** On the connection's loop. */
  void remove(LoopStreams loop, LiveConnection connection) {
    Set<LiveConnection> here = byLoop.get(loop);
    if (here != null) {
      here.remove(connection);
    }
  }

  @Override
  public void tell(byte[] message, Runnable done) {
    AtomicInteger loops = new AtomicInteger(1);
    byLoop.forEach(
        (loop, connections) -> {
          loops.incrementAndGet();
          try {
            loop.loop()
                .execute(
                    () ->
                        loop.send(
                            connections,
                            message,
                            count -> {
                              delivered.increment(count);
                              finished(loops, done);
                            }));
          } catch (RejectedExecutionException e) {
            finished(loops, done); // the server stops
          }
        });
    finished(loops, done);
  }

  private static void finished(AtomicInteger loops, Runnable done) {
    if (loops.decrementAndGet() == 0) {
      done.run();
    }
  }

  @Override
  public void end() {
    byLoop.forEach(
        (loop, connections) ->
            loop.loop()
                .execute(
                    () -> {
                      for (LiveConnection each : connections.toArray(LiveConnection[]::new)) {
                        each.end(new byte[0]);
                      }
                    }));
  }
}
