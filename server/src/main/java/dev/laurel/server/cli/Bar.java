package dev.laurel.server.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How something on the server goes: a bar on a terminal, else a line now and then. */
final class Bar implements AutoCloseable {
  private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long PAUSE_MILLIS = 100;

  private final String name;
  private final PrintWriter err;
  private final @Nullable ProgressBar bar;
  private long told = System.nanoTime();

  Bar(String name, PrintWriter err) {
    this.name = name;
    this.err = err;
    // The launcher knows: Java can tell of standard input and output only.
    this.bar =
        Boolean.getBoolean("laurel.terminal")
            ? new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(0)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err, true)))
                .build()
            : null;
  }

  void at(long done, long total) {
    if (bar != null) {
      bar.maxHint(total);
      bar.stepTo(done);
    } else if (total > 0 && System.nanoTime() - told >= EVERY_NANOS) {
      told = System.nanoTime();
      err.println(name + ": " + 100 * done / total + " %");
      err.flush();
    }
  }

  /** Between two looks at the server. */
  static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new CallException("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
