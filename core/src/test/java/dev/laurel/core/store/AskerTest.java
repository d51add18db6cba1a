package dev.laurel.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class AskerTest {
  @Test
  void requireCurrent_nobodyAsked_goesOn() {
    Asker.requireCurrent();
    assertThat(Asker.acquire(new Semaphore(1), 0)).isTrue();
    assertThat(Asker.acquire(new Semaphore(0), 0)).isFalse();
  }

  @Test
  void requireCurrent_askerHasLeft_endsWhatOnlyReads() {
    Asker reader = new Asker(true);
    reader.leave();
    assertThatThrownBy(() -> reader.during(Asker::requireCurrent))
        .isInstanceOf(CancellationException.class);
    Asker writer = new Asker(false);
    writer.leave();
    writer.during(Asker::requireCurrent);
    writer.onlyReads();
    assertThatThrownBy(() -> writer.during(Asker::requireCurrent))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void acquire_askerLeavesWhileItWaits_endsTheWaitAndLeavesNoInterrupt() throws Exception {
    Semaphore taken = new Semaphore(0, true);
    Asker asker = new Asker(true);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    asker.during(() -> Asker.acquire(taken, 600));
                  } catch (CancellationException e) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                  }
                });
    while (!taken.hasQueuedThreads()) {
      Thread.onSpinWait();
    }
    asker.leave();
    thread.join();
    assertThat(interrupted.get()).isFalse();
    assertThat(taken.hasQueuedThreads()).isFalse();
  }

  @Test
  void acquire_somebodyElseInterrupts_isNotAcquiredAndStaysInterrupted() {
    Asker asker = new Asker(true);
    Thread.currentThread().interrupt();
    asker.during(() -> assertThat(Asker.acquire(new Semaphore(0), 600)).isFalse());
    assertThat(Thread.interrupted()).isTrue();
  }
}
