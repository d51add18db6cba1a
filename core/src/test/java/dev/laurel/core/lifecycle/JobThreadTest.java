package dev.laurel.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class JobThreadTest {
  @Test
  void turn_thatEndsInAnError_isReportedAndTakenAgain() throws InterruptedException {
    CountDownLatch turns = new CountDownLatch(3);
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (JobThread job =
        new JobThread(
            "job",
            stop -> {
              turns.countDown();
              throw new InternalError("told to fail");
            },
            e -> {
              failures.add(e);
              // Nor does it end because nobody can be told.
              throw new InternalError("told to fail again");
            })) {
      assertThat(turns.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(job.lost()).isNull();
    }
    assertThat(failures).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void lost_threadThatEnded_isNamedUntilItIsClosed() throws InterruptedException {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    JobThread job =
        new JobThread(
            "job",
            stop -> {
              thread.set(Thread.currentThread());
              started.countDown();
            },
            e -> {});
    assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(job.lost()).isNull();
    thread.get().interrupt();
    thread.get().join();
    assertThat(job.lost()).isEqualTo("job");
    job.close();
    assertThat(job.lost()).isNull();
  }
}
