package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LenientRegistryTest {
  private final List<Throwable> failures = new ArrayList<>();
  private final PrometheusMeterRegistry registry = LenientRegistry.meters(failures::add);

  private static double fail() {
    throw new IllegalStateException("broken");
  }

  @Test
  void scrape_counterThatThrows_isLeftOutAlone() {
    FunctionCounter.builder("broken", this, _ -> fail()).register(registry);
    Gauge.builder("whole", () -> 3).register(registry);
    assertThat(registry.scrape()).contains("whole 3.0\n").doesNotContain("broken");
    assertThat(failures).singleElement().extracting(Throwable::getMessage).isEqualTo("broken");
  }

  @Test
  void scrape_gaugeThatThrows_isLeftOutAlone() {
    Gauge.builder("some", LenientRegistryTest::fail).tag("of", "broken").register(registry);
    Gauge.builder("some", () -> 3).tag("of", "whole").register(registry);
    Gauge.builder("broken", LenientRegistryTest::fail).register(registry);
    assertThat(registry.scrape())
        .contains("some{of=\"whole\"} 3.0\n")
        .doesNotContain("broken")
        .doesNotContain("NaN");
  }

  /** Each gauge that is read registers the rows anew, so some are met before and after that. */
  @Test
  void scrape_rowsRegisteredAnewMeanwhile_neverFails() {
    MultiGauge rows = MultiGauge.builder("rows").register(registry);
    for (int i = 0; i < 100; i++) {
      Gauge.builder(
              "between." + i,
              () -> {
                rows.register(List.of(MultiGauge.Row.of(Tags.of("of", "one"), 1)), true);
                return 1;
              })
          .register(registry);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(registry.scrape()).contains("between_99 1.0\n");
    }
  }

  @Test
  void scrape_refreshBeforeItFails_answersWithTheRest() {
    Gauge.builder("whole", () -> 3).register(registry);
    BuiltInRoutes routes = new BuiltInRoutes(registry, LenientRegistryTest::fail);
    assertThat(routes.scrape()).contains("whole 3.0\n");
  }

  @Test
  void isDue_sameFailureEveryScrape_isToldOnceInAWhile() {
    ScrapeFailures told = new ScrapeFailures();
    FunctionCounter.builder("broken", this, _ -> fail()).register(registry);
    for (int i = 0; i < 3; i++) {
      registry.scrape();
    }
    assertThat(failures).hasSize(3);
    assertThat(told.isDue(failures.get(0), 1)).isTrue();
    assertThat(told.isDue(failures.get(1), 2)).isFalse();
    assertThat(told.isDue(new IllegalStateException("elsewhere"), 3)).isTrue();
    assertThat(told.isDue(failures.get(2), 2 + Duration.ofMinutes(10).toNanos())).isTrue();
  }
}
