package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What must be so, or become so. */
final class Checks {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Checks() {}

  /** Something to be asserted. */
  interface Check {
    void run() throws IOException;
  }

  /** Waits until it holds, and returns how long that took; if it never does, says why not. */
  static Duration eventually(Check check) throws IOException {
    long begin = System.nanoTime();
    while (true) {
      try {
        check.run();
        return Duration.ofNanos(System.nanoTime() - begin);
      } catch (AssertionError | IOException e) {
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw e;
        }
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** The node shows what was acknowledged, neither less nor more, in the right order. */
  static void assertShows(Api node, List<Writer> writers) throws IOException {
    List<Expected> expected = writers.stream().map(Writer::expected).toList();
    for (TestBoard board : TestBoard.values()) {
      assertThat(node.top(board)).as("%s", board).isEqualTo(Expected.rank(board, expected));
    }
  }

  /** Reads come from the index again; dense ranks never come from Redis. */
  static void assertIndexed(Api node) throws IOException {
    for (TestBoard board : List.of(TestBoard.LATEST, TestBoard.SUM)) {
      assertThat(node.look(board).headers().map())
          .doesNotContainKeys("laurel-source", "laurel-degraded");
    }
  }
}
