package dev.laurel.server;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A number for each topic, all of them of one moment. Thread-safe.
 *
 * <p>Not a MultiGauge: that one removes its rows and registers them anew for every value. A scrape
 * that goes on meanwhile met the old and the new ones, and failed for labels that come twice, or
 * met none. This collector stays where it is, and only what it tells changes.
 */
final class TopicGauge implements Collector {
  private final String name;
  private final String description;
  private volatile Map<String, Double> byTopic = Map.of();

  private TopicGauge(String name, String description) {
    this.name = name;
    this.description = description;
  }

  static TopicGauge register(PrometheusMeterRegistry registry, String name, String description) {
    String conventional = registry.config().namingConvention().name(name, Meter.Type.GAUGE);
    TopicGauge gauge = new TopicGauge(conventional, description);
    registry.getPrometheusRegistry().register(gauge);
    return gauge;
  }

  /** Topics that are not among them have no number any more. */
  void set(Map<String, Double> numbers) {
    byTopic = Map.copyOf(numbers);
  }

  @Override
  public @Nullable MetricSnapshot collect() {
    Map<String, Double> now = byTopic;
    if (now.isEmpty()) {
      return null;
    }
    GaugeSnapshot.Builder snapshot = GaugeSnapshot.builder().name(name).help(description);
    now.forEach(
        (topic, number) ->
            snapshot.dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("topic", topic))
                    .value(number)
                    .build()));
    return snapshot.build();
  }
}
