package dev.laurel.server.kill;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that write to nodes and read from them while something happens, and what they saw of it.
 * A client whose write is not taken sends the same to the next node, until it is.
 */
final class Traffic {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final List<Api> nodes;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Series>> writing = new ArrayList<>();
  private final List<Future<Series>> reading = new ArrayList<>();
  private final AtomicInteger taken = new AtomicInteger();
  private volatile boolean stopping;

  /** What one client saw. Belongs to its thread until that has ended. */
  private static final class Series {
    int good;
    int degraded;
    int fromSql;
    int refused;
    int unanswered;
    long longestNanos;
    private long last = System.nanoTime();

    void good() {
      good++;
      pause();
    }

    private void pause() {
      long now = System.nanoTime();
      longestNanos = Math.max(longestNanos, now - last);
      last = now;
    }

    static Series sum(List<Future<Series>> all) throws Exception {
      Series sum = new Series();
      for (Future<Series> each : all) {
        Series one = each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        sum.good += one.good;
        sum.degraded += one.degraded;
        sum.fromSql += one.fromSql;
        sum.refused += one.refused;
        sum.unanswered += one.unanswered;
        sum.longestNanos = Math.max(sum.longestNanos, one.longestNanos);
      }
      return sum;
    }

    String longest() {
      return "%.1f s".formatted(longestNanos / 1e9);
    }
  }

  /** Begins. Writers are spread over the nodes; each node has one reader. */
  Traffic(List<Api> nodes, List<Writer> writers) {
    this.nodes = nodes;
    for (int i = 0; i < writers.size(); i++) {
      Writer writer = writers.get(i);
      int first = i;
      writing.add(threads.submit(() -> write(writer, first)));
    }
    for (Api node : nodes) {
      reading.add(threads.submit(() -> read(node)));
    }
  }

  /** How many writes were taken so far. */
  int taken() {
    return taken.get();
  }

  private Series write(Writer writer, int first) {
    Series seen = new Series();
    int node = first;
    while (!stopping || !writer.isSettled()) {
      switch (writer.step(nodes.get(node % nodes.size()))) {
        case TAKEN -> {
          seen.good();
          taken.incrementAndGet();
          continue;
        }
        case REFUSED -> seen.refused++;
        case UNANSWERED -> seen.unanswered++;
      }
      node++;
      LockSupport.parkNanos(20_000_000);
    }
    return seen;
  }

  private Series read(Api node) {
    Series seen = new Series();
    while (!stopping) {
      try {
        HttpResponse<String> answer = node.look(TestBoard.SUM);
        if (answer.statusCode() == 200) {
          seen.good();
          seen.degraded += answer.headers().firstValue("Laurel-Degraded").isPresent() ? 1 : 0;
          seen.fromSql += answer.headers().firstValue("Laurel-Source").isPresent() ? 1 : 0;
        } else {
          seen.refused++;
        }
      } catch (IOException e) {
        seen.unanswered++;
      }
      LockSupport.parkNanos(2_000_000);
    }
    seen.pause();
    return seen;
  }

  /** Ends when every write was taken, and tells what was seen. */
  String end() throws Exception {
    stopping = true;
    try {
      Series writes = Series.sum(writing);
      Series reads = Series.sum(reading);
      return """
          writes: %d taken, %d refused, %d without an answer, longest wait %s; \
          reads: %d (%d marked degraded, %d from SQL), %d refused, %d without an answer, longest wait %s"""
          .formatted(
              writes.good,
              writes.refused,
              writes.unanswered,
              writes.longest(),
              reads.good,
              reads.degraded,
              reads.fromSql,
              reads.refused,
              reads.unanswered,
              reads.longest());
    } finally {
      threads.shutdownNow();
    }
  }
}
