package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeapPressureTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final HeapPressure heap = new HeapPressure(now::get);

  @Test
  void isTight_beforeAnyCollection_isNot() {
    assertThat(heap.isTight()).isFalse();
  }

  @Test
  void isTight_nearlyAllIsInUseAfterACollection_untilClearlyLessIs() {
    heap.collected(90, 100);
    assertThat(heap.isTight()).isFalse();
    heap.collected(91, 100);
    assertThat(heap.isTight()).isTrue();
    // Neither here nor there: as before.
    heap.collected(85, 100);
    assertThat(heap.isTight()).isTrue();
    heap.collected(79, 100);
    assertThat(heap.isTight()).isFalse();
    heap.collected(85, 100);
    assertThat(heap.isTight()).isFalse();
    assertThat(heap.usedAfterCollection()).isEqualTo(85);
  }

  @Test
  void isTight_noCollectionForAWhile_isNotBelievedAnyMore() {
    heap.collected(95, 100);
    now.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(heap.isTight()).isTrue();
    now.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(heap.isTight()).isFalse();
    heap.collected(95, 100);
    assertThat(heap.isTight()).isTrue();
  }

  @Test
  void isTight_heapOfUnknownSize_neverIs() {
    heap.collected(95, -1);
    assertThat(heap.isTight()).isFalse();
  }
}
