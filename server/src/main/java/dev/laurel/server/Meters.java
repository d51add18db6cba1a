package dev.laurel.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.util.function.Supplier;

/** Registers meters, each with its description. */
record Meters(MeterRegistry registry) {
  Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** With the bounds of its buckets. */
  DistributionSummary summary(String name, String description, double... bounds) {
    return DistributionSummary.builder(name)
        .description(description)
        .serviceLevelObjectives(bounds)
        .register(registry);
  }

  MultiGauge gauges(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }
}
