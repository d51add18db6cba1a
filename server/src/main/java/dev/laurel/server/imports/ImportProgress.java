package dev.laurel.server.imports;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how an import goes: a bar on a terminal, else a line now and then. Callers hold a lock. */
final class ImportProgress implements AutoCloseable {
  private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final PrintWriter err;
  private final long size;
  private final long begin = System.nanoTime();
  private final @Nullable ProgressBar bar;
  private long told = begin;

  /**
   * @param size of the file in bytes, -1 if unknown
   */
  ImportProgress(PrintWriter err, boolean terminal, String name, long size) {
    this.err = err;
    this.size = size;
    this.bar = terminal ? bar(name, size) : null;
  }

  private static ProgressBar bar(String name, long size) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(size)
        .setUnit(" MiB", 1 << 20)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(System.err, true)))
        .build();
  }

  /**
   * @param lines done in this run
   */
  void at(long bytes, long lines) {
    long now = System.nanoTime();
    double seconds = Math.max(1, now - begin) / 1e9;
    if (bar != null) {
      bar.stepTo(bytes);
      bar.setExtraMessage(String.format(Locale.ROOT, " %,d lines/s", (long) (lines / seconds)));
      return;
    }
    if (now - told < EVERY_NANOS) {
      return;
    }
    told = now;
    String line =
        String.format(Locale.ROOT, "%,d lines, %,d lines/s", lines, (long) (lines / seconds));
    if (size > 0 && bytes > 0) {
      long left = (long) (seconds * (size - bytes) / bytes);
      line += String.format(Locale.ROOT, ", %d %%, %d s left", 100 * bytes / size, left);
    }
    err.println(line);
    err.flush();
  }

  double seconds() {
    return (System.nanoTime() - begin) / 1e9;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
