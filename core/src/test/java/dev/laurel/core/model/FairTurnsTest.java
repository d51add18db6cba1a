package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FairTurnsTest {
  private static boolean soon(Semaphore turn) {
    try {
      return turn.tryAcquire(2, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void take_manyOfOneTenantWait_anotherTenantIsServedAfterOneOfThem() throws Exception {
    FairTurns turns = new FairTurns(1, 100, 50);
    assertThat(turns.takeIfFree()).isTrue();
    List<Long> served = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (long tenant : new long[] {1, 1, 1, 1, 1, 2, 2, 3}) {
      int before = turns.waiting();
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    if (turns.take(tenant, FairTurnsTest::soon)) {
                      served.add(tenant);
                      turns.give();
                    }
                  }));
      while (turns.waiting() == before) {
        Thread.onSpinWait();
      }
    }
    turns.give();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(served).containsExactly(1L, 2L, 3L, 1L, 2L, 1L, 1L, 1L);
    assertThat(turns.takeIfFree()).isTrue();
    assertThat(turns.takeIfFree()).isFalse();
  }

  @Test
  void take_tooManyWait_isRefusedAtOnce() {
    FairTurns turns = new FairTurns(0, 2, 1);
    List<Boolean> inner = new ArrayList<>();
    boolean outer =
        turns.take(
            1,
            _ -> {
              inner.add(turns.take(1, FairTurnsTest::soon));
              inner.add(
                  turns.take(
                      2,
                      _ -> {
                        inner.add(turns.take(3, FairTurnsTest::soon));
                        return false;
                      }));
              return false;
            });
    assertThat(outer).isFalse();
    assertThat(inner).containsExactly(false, false, false);
    assertThat(turns.waiting()).isZero();
  }

  @Test
  void take_turnComesWhenTheWaitHasFailed_isPassedOn() {
    FairTurns turns = new FairTurns(1, 2, 2);
    assertThat(turns.takeIfFree()).isTrue();
    assertThatThrownBy(
            () ->
                turns.take(
                    1,
                    _ -> {
                      turns.give(); // at the last moment
                      throw new IllegalStateException("left");
                    }))
        .hasMessage("left");
    assertThat(turns.takeIfFree()).isTrue();
  }

  @Test
  void take_manyComeAndGo_turnsAreNeverMoreNorFewer() throws Exception {
    FairTurns turns = new FairTurns(2, 40, 20);
    AtomicInteger having = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    Random random = ThreadLocalRandom.current();
                    for (int n = 0; n < 200; n++) {
                      boolean patient = random.nextBoolean();
                      boolean mine =
                          turns.take(
                              random.nextInt(4), turn -> patient ? soon(turn) : turn.tryAcquire());
                      if (mine) {
                        most.accumulateAndGet(having.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(1);
                        having.decrementAndGet();
                        turns.give();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isBetween(1, 2);
    assertThat(turns.waiting()).isZero();
    assertThat(List.of(turns.takeIfFree(), turns.takeIfFree(), turns.takeIfFree()))
        .containsExactly(true, true, false);
  }
}
