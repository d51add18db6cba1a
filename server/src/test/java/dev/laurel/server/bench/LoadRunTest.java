package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadRunTest {
  private static final Duration NONE = Duration.ZERO;

  private static OperationResult run(
      FakeServer server, LaneSpec lane, Duration duration, Duration patience)
      throws InterruptedException {
    return run(server.target(), lane, 1, duration, patience, Long.MAX_VALUE);
  }

  private static OperationResult run(
      Target target, LaneSpec lane, int pipeline, Duration duration, Duration patience, long limit)
      throws InterruptedException {
    LoadPlan plan =
        new LoadPlan(
            List.of(lane),
            1,
            pipeline,
            NONE,
            duration,
            patience,
            limit,
            10,
            0,
            1,
            random -> UserPicker.uniform(100, random));
    try (Progress progress =
        Progress.ofTime(new PrintWriter(new StringWriter()), false, duration)) {
      return LoadRun.run(target, plan, progress).operations().getFirst();
    }
  }

  private static LaneSpec open(int connections, double rate) {
    return new LaneSpec(connections, true, Map.of(Operation.RANK, rate));
  }

  private static LaneSpec closed(int connections) {
    return new LaneSpec(connections, false, Map.of(Operation.RANK, 1.0));
  }

  @Test
  void run_openLoopWhileServerStalls_everyRequestDueThenWaited() throws InterruptedException {
    try (FakeServer server = new FakeServer(_ -> FakeServer.RANK, 500, Duration.ofSeconds(1))) {
      OperationResult result = run(server, open(4, 500), Duration.ofSeconds(3), LoadPlan.PATIENCE);

      assertThat(result.errors()).isEmpty();
      assertThat(result.latencies().getTotalCount()).isEqualTo(1500);
      assertThat(server.requests()).isEqualTo(1500);
      assertThat(result.millisAt(100)).isGreaterThanOrEqualTo(999);
      // A third of the requests were due in the stall, evenly over it: a tenth waited 0.7 s or
      // more. A client that waits for its 4 connections would have seen 4 slow ones.
      assertThat(result.millisAt(90)).isGreaterThan(600);
      assertThat(result.millisAt(70)).isGreaterThan(50);
    }
  }

  @Test
  void run_closedLoopWhileServerStalls_onlyThoseUnderWayWaited() throws InterruptedException {
    try (FakeServer server = new FakeServer(_ -> FakeServer.RANK, 500, Duration.ofSeconds(1))) {
      OperationResult result = run(server, closed(4), Duration.ofSeconds(2), LoadPlan.PATIENCE);

      // A machine that is busy may be slow itself, but not as often as requests were due.
      long slow = result.latencies().getCountBetweenValues(900_000_000L, Tally.LONGEST);
      assertThat(slow).isBetween(4L, 40L);
    }
  }

  @Test
  void run_serverNeverAnswers_everyRequestIsAnErrorWithItsAge() throws InterruptedException {
    try (FakeServer server = new FakeServer(_ -> FakeServer.RANK, 1, Duration.ofSeconds(60))) {
      OperationResult result =
          run(server, open(2, 25), Duration.ofSeconds(2), Duration.ofSeconds(2));

      assertThat(result.errors())
          .containsOnly(Map.entry("no answer in time", 2L), Map.entry("not sent in time", 48L));
      assertThat(result.latencies().getTotalCount()).isEqualTo(50);
      assertThat(result.millisAt(100)).isGreaterThanOrEqualTo(3900);
      assertThat(result.good()).isZero();
    }
  }

  @Test
  void run_statusesAndClosedConnections_areCountedAndItGoesOn() throws InterruptedException {
    try (FakeServer server =
        FakeServer.answering(
            n ->
                n % 10 == 0
                    ? FakeServer.answer("503 Service Unavailable", "{}")
                    : n == 55 ? "" : FakeServer.RANK)) {
      OperationResult result =
          run(server.target(), closed(1), 1, Duration.ofSeconds(20), NONE, 100);

      assertThat(result.errors())
          .containsOnly(Map.entry("status 503", 10L), Map.entry("connection closed", 1L));
      assertThat(result.good()).isEqualTo(89);
      assertThat(result.sent()).isEqualTo(100);
      assertThat(result.answered()).isEqualTo(99);
    }
  }

  @Test
  void run_answersOfSomethingElse_areErrors() throws InterruptedException {
    try (FakeServer server =
        FakeServer.answering(_ -> FakeServer.answer("200 OK", "{\"status\":\"alive\"}"))) {
      OperationResult result =
          run(server.target(), closed(1), 1, Duration.ofSeconds(20), NONE, 200);

      assertThat(result.errors()).containsOnlyKeys("status 200, but not what was asked for");
    }
  }

  @Test
  void run_pipelined_answersBelongToTheirRequests() throws InterruptedException {
    try (FakeServer server = FakeServer.answering(_ -> FakeServer.RANK)) {
      OperationResult result =
          run(server.target(), closed(2), 8, Duration.ofSeconds(20), NONE, 1000);

      assertThat(result.errors()).isEmpty();
      assertThat(result.good()).isEqualTo(1000);
      assertThat(server.requests()).isEqualTo(1000);
    }
  }

  @Test
  void run_nobodyListens_saysSo() throws IOException {
    // Bound, so that nobody else gets the port meanwhile, but not listening.
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Target target = FakeServer.target(taken.getLocalPort());
      assertThatThrownBy(
              () -> run(target, closed(2), 1, Duration.ofSeconds(1), NONE, Long.MAX_VALUE))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("cannot open 2 connections to " + target.url());
    }
  }
}
