package dev.laurel.server.http;

import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one route, by tenant and status. A handful of pairs occur, so a scan over an array
 * of longs finds one without a key object. Readers never lock; a new pair copies the arrays.
 */
final class RouteMeters {
  private record Snapshot(long[] keys, Timer[] timers) {}

  private volatile Snapshot snapshot = new Snapshot(new long[0], new Timer[0]);

  @Nullable Timer find(long tenant, int status) {
    Snapshot now = snapshot;
    long wanted = key(tenant, status);
    long[] keys = now.keys;
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == wanted) {
        return now.timers[i];
      }
    }
    return null;
  }

  synchronized void add(long tenant, int status, Timer timer) {
    if (find(tenant, status) != null) {
      return;
    }
    int size = snapshot.keys.length;
    long[] keys = Arrays.copyOf(snapshot.keys, size + 1);
    Timer[] timers = Arrays.copyOf(snapshot.timers, size + 1);
    keys[size] = key(tenant, status);
    timers[size] = timer;
    snapshot = new Snapshot(keys, timers);
  }

  private static long key(long tenant, int status) {
    return tenant << 10 | status;
  }
}
