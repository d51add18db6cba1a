package dev.laurel.server.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * What became of one operation's requests on one event loop. Written there only; {@link #interval}
 * may be called from one other thread at any time, the counters be read once the loop is done.
 */
final class Tally {
  static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  static final int DIGITS = 3;

  private final SingleWriterRecorder latencies = new SingleWriterRecorder(LONGEST, DIGITS);
  private @Nullable Histogram interval;
  private final Map<String, Long> errors = new TreeMap<>();
  private long sent;
  private long answered;
  private long goodInWindow;
  private long bytesIn;
  private long bytesOut;

  void sent() {
    sent++;
  }

  void bytesOut(int bytes) {
    bytesOut += bytes;
  }

  void answered() {
    answered++;
  }

  void goodInWindow(long bytes) {
    goodInWindow++;
    bytesIn += bytes;
  }

  /** A request that counts has ended, well or not. */
  void latency(long nanos) {
    latencies.recordValue(Math.clamp(nanos, 0, LONGEST));
  }

  void error(String what) {
    errors.merge(what, 1L, Long::sum);
  }

  /** Latencies since the last call, until the next one. */
  Histogram interval() {
    interval = latencies.getIntervalHistogram(interval);
    return interval;
  }

  /** All, also of the warm-up. */
  long sentInAll() {
    return sent;
  }

  long answeredInAll() {
    return answered;
  }

  long good() {
    return goodInWindow;
  }

  long bytesIn() {
    return bytesIn;
  }

  long bytesOut() {
    return bytesOut;
  }

  Map<String, Long> errors() {
    return errors;
  }
}
