package dev.laurel.core.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work that reads whole ledgers: few at once, few that wait. */
class LongWorkTest {
  private final LongWork work = new LongWork();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Semaphore begun = new Semaphore(0);
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private int slow() {
    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    begun.release();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return atOnce.decrementAndGet();
  }

  private static ErrorCode refusal(Runnable asked) {
    ErrorCode[] code = new ErrorCode[1];
    assertThatThrownBy(asked::run)
        .isInstanceOfSatisfying(RejectedException.class, e -> code[0] = e.rejection().code());
    return code[0];
  }

  @Test
  void run_moreThanThereIsRoomFor_isRefusedAndLaterTaken() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> taken = new ArrayList<>();
      try {
        for (long tenant : new long[] {1, 1, 1, 2, 2, 2, 3, 3}) {
          taken.add(threads.submit(() -> work.run(tenant, this::slow)));
        }
        assertThat(begun.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
        awaitPlacesTaken();
        assertThat(refusal(() -> work.run(1, () -> 0))).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(refusal(() -> work.run(4, () -> 0))).isEqualTo(ErrorCode.OVERLOADED);
      } finally {
        end.countDown();
      }
      for (Future<Integer> each : taken) {
        each.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(most.get()).isEqualTo(2);
    assertThat(work.<Integer>run(1, () -> 7)).isEqualTo(7);
  }

  /** Of a tenant nobody knows there is no room once all places are taken. */
  private void awaitPlacesTaken() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (work.free() > 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(work.free()).isZero();
  }

  @Test
  void run_workThatFails_leavesItsPlace() {
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(
              () ->
                  work.run(
                      1,
                      () -> {
                        throw new IllegalArgumentException("mine");
                      }))
          .hasMessage("mine");
    }
    assertThat(work.free()).isEqualTo(8);
  }
}
