package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventMetricsTest {
  private static final int GAUGES = 100;
  private static final int SCRAPES = 20;

  /** Not lenient: what is tested here is that there is nothing to forgive. */
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private final EventMetrics metrics = new EventMetrics(registry);

  private static long lines(String scrape, String name) {
    return scrape.lines().filter(line -> line.startsWith(name + "{topic=\"t\"} ")).count();
  }

  /** A gauge that is read lets the source go on: no threads, and every place of a scrape. */
  @Test
  void scrape_sourceTellsBetweenAnyTwoMetrics_hasEachTopicOnce() {
    for (int i = 0; i < GAUGES; i++) {
      Gauge.builder("between." + i, this::tell).register(registry);
    }
    tell();
    for (int i = 0; i < SCRAPES; i++) {
      String scrape = registry.scrape();
      assertThat(lines(scrape, "laurel_kafka_lag")).as(scrape).isOne();
      assertThat(lines(scrape, "laurel_kafka_held")).as(scrape).isOne();
      assertThat(lines(scrape, "laurel_kafka_unregistered")).as(scrape).isOne();
    }
  }

  private Number tell() {
    metrics.lag(Map.of("t", 7L));
    metrics.held(Map.of("t", 2));
    metrics.unregistered(Set.of("t"));
    return 1;
  }

  @Test
  void lag_topicsComeAndGo_onlyThoseOfNowAreTold() {
    assertThat(registry.scrape()).as("before any").doesNotContain("laurel_kafka_lag{");
    metrics.lag(Map.of("a", 7L, "b", 0L));
    assertThat(registry.scrape())
        .contains("# TYPE laurel_kafka_lag gauge\n")
        .contains("laurel_kafka_lag{topic=\"a\"} 7.0\n")
        .contains("laurel_kafka_lag{topic=\"b\"} 0.0\n");
    metrics.lag(Map.of("b", 1L));
    assertThat(registry.scrape())
        .contains("laurel_kafka_lag{topic=\"b\"} 1.0\n")
        .doesNotContain("topic=\"a\"");
    metrics.lag(Map.of());
    assertThat(registry.scrape()).doesNotContain("laurel_kafka_lag{");
  }
}
