package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void take_manyTimes_roundingDoesNotAddUp() {
    Schedule schedule = new Schedule(7000);
    schedule.begin(-5);
    for (int i = 0; i < 7_000_000; i++) {
      schedule.take();
    }
    assertThat(schedule.due()).isEqualTo(1000 * SECOND - 5);
  }

  @Test
  void next_nobodyAskedForASecond_allThatWereDueAreStillDueSinceThen() {
    OpenSource source = new OpenSource(Map.of(Operation.RANK, 1000.0), 0.5);
    source.begin(window());

    for (int i = 0; i <= 500; i++) {
      assertThat(source.next(SECOND)).isEqualTo(Operation.RANK);
      assertThat(source.begunAt()).isEqualTo(i * 2_000_000L);
    }
    assertThat(source.next(SECOND)).isNull();
    assertThat(source.untilNext(SECOND)).isEqualTo(2_000_000);
  }

  @Test
  void next_twoRates_whoeverWaitsLongestIsFirst() {
    OpenSource source = new OpenSource(Map.of(Operation.RANK, 10.0, Operation.PUT, 5.0), 1);
    source.begin(window());
    int puts = 0;
    int ranks = 0;
    long last = 0;
    for (Operation o = source.next(SECOND - 1); o != null; o = source.next(SECOND - 1)) {
      puts += o == Operation.PUT ? 1 : 0;
      ranks += o == Operation.RANK ? 1 : 0;
      assertThat(source.begunAt()).isGreaterThanOrEqualTo(last);
      last = source.begunAt();
    }
    assertThat(ranks).isEqualTo(10);
    assertThat(puts).isEqualTo(5);
  }

  @Test
  void next_warmupEndsWithABacklog_itIsDroppedAndTheScheduleBeginsAnew() {
    OpenSource source = new OpenSource(Map.of(Operation.RANK, 10.0), 1);
    source.begin(Window.starting(0, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ZERO));

    assertThat(source.next(SECOND / 2)).isEqualTo(Operation.RANK);
    assertThat(source.begunAt()).isZero();
    assertThat(source.next(SECOND)).isEqualTo(Operation.RANK);
    assertThat(source.begunAt()).isEqualTo(SECOND);
    assertThat(source.next(SECOND)).isNull();
  }

  @Test
  void next_afterTheEnd_onlyWhatWasDueBefore() {
    OpenSource source = new OpenSource(Map.of(Operation.TOP, 10.0), 1);
    source.begin(window());
    int all = 0;
    while (source.next(100 * SECOND) != null) {
      all++;
    }
    assertThat(all).isEqualTo(20);
    assertThat(source.untilNext(100 * SECOND)).isEqualTo(Source.NEVER);
  }

  private static Window window() {
    return Window.starting(0, Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(1));
  }
}
