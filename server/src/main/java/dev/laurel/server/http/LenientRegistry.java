package dev.laurel.server.http;

import dev.laurel.core.vital.Failures;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a metric out of the scrape if it cannot be read, where Prometheus' own registry fails
 * whole: whoever looks for what is wrong needs the others just then. Thread-safe.
 */
public final class LenientRegistry extends PrometheusRegistry {
  private final Consumer<Throwable> onFailure;
  private final Set<MultiCollector> collectors = ConcurrentHashMap.newKeySet();

  private record Single(Collector collector) implements MultiCollector {
    @Override
    public MetricSnapshots collect() {
      MetricSnapshot snapshot = collector.collect();
      return snapshot == null ? new MetricSnapshots() : new MetricSnapshots(snapshot);
    }
  }

  LenientRegistry(Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  /** Meters that are scraped leniently; what fails is logged. */
  public static PrometheusMeterRegistry meters() {
    return meters(new ScrapeFailures());
  }

  static PrometheusMeterRegistry meters(Consumer<Throwable> onFailure) {
    return new PrometheusMeterRegistry(
        PrometheusConfig.DEFAULT, new LenientRegistry(onFailure), Clock.SYSTEM);
  }

  @Override
  public void register(Collector collector) {
    super.register(collector);
    collectors.add(new Single(collector));
  }

  @Override
  public void register(MultiCollector collector) {
    super.register(collector);
    collectors.add(collector);
  }

  @Override
  public void unregister(Collector collector) {
    collectors.remove(new Single(collector));
    super.unregister(collector);
  }

  @Override
  public void unregister(MultiCollector collector) {
    collectors.remove(collector);
    super.unregister(collector);
  }

  @Override
  public void clear() {
    collectors.clear();
    super.clear();
  }

  @Override
  public MetricSnapshots scrape() {
    Map<String, MetricSnapshot> byName = new HashMap<>();
    for (MultiCollector collector : collectors) {
      Failures.survive(() -> collector.collect().forEach(each -> add(byName, each)), onFailure);
    }
    return new MetricSnapshots(byName.values());
  }

  /**
   * One of a name: a meter that is removed and registered anew during a scrape is met twice, and
   * what writes the text refuses that.
   */
  private static void add(Map<String, MetricSnapshot> byName, MetricSnapshot snapshot) {
    MetricSnapshot known = known(snapshot);
    if (known != null) {
      byName.putIfAbsent(known.getMetadata().getPrometheusName(), known);
    }
  }

  /** A gauge whose function fails is NaN; Micrometer has logged why, the first time. */
  private static @Nullable MetricSnapshot known(MetricSnapshot snapshot) {
    if (!(snapshot instanceof GaugeSnapshot gauge)
        || gauge.getDataPoints().stream().noneMatch(point -> Double.isNaN(point.getValue()))) {
      return snapshot;
    }
    var points =
        gauge.getDataPoints().stream().filter(point -> !Double.isNaN(point.getValue())).toList();
    return points.isEmpty() ? null : new GaugeSnapshot(gauge.getMetadata(), points);
  }
}
