package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.StoreBusyException;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for every call of a transaction. */
class CallsTest {
  @TempDir private Path folder = Path.of("");

  /** Whatever a read holds on to, it does not do so for ever. */
  @Test
  void run_afterTheLongestRead_isRefused() {
    Calls calls =
        new Calls(new SqliteDialect(folder, new ManualClock(), FolderLock.take(folder), false));
    calls.begin(Duration.ofDays(1), null);
    assertThat(calls.<Integer>run("count", () -> 1)).isEqualTo(1);
    calls.begin(Duration.ofNanos(1), null);
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < 2) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> calls.run("count", () -> 1))
        .isInstanceOf(StoreBusyException.class)
        .hasMessageContaining("PT0.000000001S");
    calls.begin();
    assertThat(calls.<Integer>run("count", () -> 1)).isEqualTo(1);
  }
}
