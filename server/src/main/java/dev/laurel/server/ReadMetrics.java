package dev.laurel.server;

import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Pool;
import dev.laurel.core.store.Store;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToIntFunction;

/** Where answers come from, and how the database is used for them, in the metrics. */
final class ReadMetrics {
  private ReadMetrics() {}

  static void watch(MeterRegistry registry, Rankings rankings) {
    for (Rankings.Served by : Rankings.Served.values()) {
      FunctionCounter.builder("laurel.reads", rankings, r -> r.served(by))
          .description("Questions about ranks by what answered them")
          .tag("source", name(by))
          .register(registry);
    }
  }

  private static String name(Rankings.Served by) {
    return switch (by) {
      case MEMORY -> "memory";
      case SHARED -> "redis";
      case SQL -> "sql";
      case FINAL -> "final";
      case ARCHIVE -> "archive";
    };
  }

  static void watch(MeterRegistry registry, Store store) {
    new Meters(registry)
        .gauge(
            "laurel.store.down",
            "1 while it is known that nothing can be written to the database",
            () -> store.isDown() ? 1 : 0);
    for (Pool pool : store.pools()) {
      gauge(registry, store, pool.name(), "used", "Connections that are in use", Pool::used);
      gauge(registry, store, pool.name(), "limit", "Connections there may be", Pool::limit);
      gauge(registry, store, pool.name(), "waiting", "Who waits for a connection", Pool::waiting);
    }
  }

  private static void gauge(
      MeterRegistry registry,
      Store store,
      String pool,
      String what,
      String description,
      ToIntFunction<Pool> value) {
    Gauge.builder(
            "laurel.store.connections." + what,
            () ->
                store.pools().stream()
                    .filter(each -> each.name().equals(pool))
                    .mapToInt(value)
                    .sum())
        .description(description)
        .tag("pool", pool)
        .register(registry);
  }
}
