package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogSamplerTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LogSampler sampler = new LogSampler(3, Duration.ofSeconds(10));

  @Test
  void take_manyOfAKind_writesTheFirstAndCountsTheOthers() {
    int written = 0;
    for (int i = 0; i < 1000; i++) {
      if (sampler.take("a", 5 * SECOND + i) != LogSampler.LEFT_OUT) {
        written++;
      }
    }
    assertThat(written).isEqualTo(3);
    assertThat(sampler.take("b", 5 * SECOND)).as("another kind").isZero();
    assertThat(sampler.take("a", 16 * SECOND)).as("the next while").isEqualTo(997);
    assertThat(sampler.take("a", 16 * SECOND)).isZero();
  }

  @Test
  void flush_kindThatHasEnded_isToldOnce() {
    for (int i = 0; i < 10; i++) {
      sampler.take("a", 0);
    }
    List<String> told = new ArrayList<>();
    sampler.flush(9 * SECOND, (kind, count) -> told.add(kind + " " + count));
    assertThat(told).isEmpty();
    sampler.flush(10 * SECOND, (kind, count) -> told.add(kind + " " + count));
    sampler.flush(99 * SECOND, (kind, count) -> told.add(kind + " " + count));
    assertThat(told).containsExactly("a 7");
    assertThat(sampler.take("a", 100 * SECOND)).isZero();
  }
}
