package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final long PAUSE = 500_000_000;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final Breaker breaker = new Breaker(now::get);

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed();
    }
  }

  @Test
  void permits_failuresWithSuccessesBetween_staysClosed() {
    fail(2);
    breaker.succeeded();
    fail(2);
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.permits()).isTrue();
  }

  @Test
  void permits_open_letsOneTryAfterEachPause() {
    fail(3);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.permits()).isFalse();
    now.addAndGet(PAUSE);
    assertThat(breaker.permits()).isTrue();
    assertThat(breaker.permits()).isFalse();
    breaker.failed();
    now.addAndGet(PAUSE - 1);
    assertThat(breaker.permits()).isFalse();
    now.addAndGet(1);
    assertThat(breaker.permits()).isTrue();
    breaker.succeeded();
    assertThat(breaker.permits()).isTrue();
    assertThat(breaker.isOpen()).isFalse();
  }
}
