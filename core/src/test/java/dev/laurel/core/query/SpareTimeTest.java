package dev.laurel.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpareTimeTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicLong clock = new AtomicLong();
  private final SpareTime spare = new SpareTime(clock::get);

  /** Work that takes so long. */
  private boolean work(long millis) {
    Boolean done =
        spare
            .<Boolean>use(
                () -> {
                  clock.addAndGet(millis * MILLI);
                  return true;
                })
            .join();
    return done != null;
  }

  @Test
  void use_overAndOver_takesATenthOfTheTime() {
    assertThat(work(60)).isTrue();
    assertThat(work(60)).as("some is left").isTrue();
    assertThat(work(60)).as("nothing is").isFalse();
    clock.addAndGet(50 * MILLI);
    assertThat(work(1)).as("not yet").isFalse();
    clock.addAndGet(400 * MILLI);
    assertThat(work(1)).isTrue();
  }

  @Test
  void use_whileAnotherIsAtWork_isLeftUndone() {
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<@Nullable Boolean> first =
        spare.use(
            () -> {
              try {
                return release.await(30, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                return false;
              }
            });
    assertThat(work(1)).isFalse();
    release.countDown();
    assertThat(first.join()).isTrue();
    assertThat(work(1)).isTrue();
  }

  @Test
  void use_workThatFails_isNothing() {
    assertThat(
            spare
                .use(
                    () -> {
                      throw new InternalError("told to fail");
                    })
                .join())
        .isNull();
    assertThat(work(1)).isTrue();
  }
}
