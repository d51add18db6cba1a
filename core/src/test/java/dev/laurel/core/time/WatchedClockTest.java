package dev.laurel.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.time.ClockObserver.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks are turned by hand: the time of day, the time that passes, and another's. */
class WatchedClockTest {
  private static final long START = Instant.parse("2026-11-15T12:00:00Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long STAY = Duration.ofMinutes(5).toMillis();

  private final Machine machine = new Machine();
  private final List<Object> heard = new ArrayList<>();

  /** A machine's two clocks. */
  private static final class Machine implements TimeSource {
    private long day = START;
    private long nanos = 5;

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(day);
    }

    @Override
    public long nanos() {
      return nanos;
    }

    void pass(Duration time) {
      day += time.toMillis();
      nanos += time.toNanos();
    }
  }

  private WatchedClock clock(boolean shared) {
    return new WatchedClock(
        machine,
        shared,
        STAY,
        new ClockObserver() {
          @Override
          public void jumped(long millis) {
            heard.add(millis);
          }

          @Override
          public void settled(Settled how, long millis) {
            heard.add(how);
          }
        });
  }

  @Test
  void moment_whileBothClocksGo_isTheTimeOfDay() {
    WatchedClock clock = clock(false);
    for (int i = 0; i < 1000; i++) {
      machine.pass(Duration.ofSeconds(i));
      machine.day += i % 3; // corrected by a little
      assertThat(clock.moment()).isEqualTo(Moment.of(machine.day));
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void moment_ofAClockThatIsAheadForSixSeconds_neverLosesTheRightTime() {
    WatchedClock clock = clock(false);
    machine.day += DAY;
    for (int second = 0; second < 6; second++) {
      assertThat(clock.millis()).isEqualTo(machine.day - DAY);
      assertThat(clock.moment().latest()).isEqualTo(machine.day);
      machine.pass(Duration.ofSeconds(1));
    }
    machine.day -= DAY;
    assertThat(clock.moment()).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.RETURNED);
  }

  @Test
  void moment_ofAClockThatWentBack_isTheEarlierTimeToo() {
    WatchedClock clock = clock(false);
    machine.pass(Duration.ofMinutes(3));
    assertThat(clock.moment().isKnown()).isTrue();
    machine.day -= DAY;
    assertThat(clock.moment()).isEqualTo(new Moment(machine.day, machine.day + DAY));
  }

  @Test
  void moment_afterASleepThatNobodyCounted_isBelievedWhenItStays() {
    WatchedClock clock = clock(false);
    machine.day += 8 * 3_600_000;
    assertThat(clock.moment().isKnown()).isFalse();
    machine.pass(Duration.ofMinutes(5).minusMillis(1));
    assertThat(clock.moment().isKnown()).isFalse();
    machine.pass(Duration.ofMillis(1));
    assertThat(clock.moment()).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(8 * 3_600_000L, Settled.STAYED);
  }

  @Test
  void moment_ofAClockThatJumpsAgain_waitsAnew() {
    WatchedClock clock = clock(false);
    for (int i = 0; i < 10; i++) {
      machine.day += DAY;
      assertThat(clock.moment().isKnown()).isFalse();
      machine.pass(Duration.ofMinutes(4));
      assertThat(clock.millis()).isEqualTo(START + (i + 1) * 240_000L);
    }
  }

  @Test
  void confirm_byAnOperator_isBelievedAtOnce() {
    WatchedClock clock = clock(false);
    assertThat(clock.confirm(machine.day)).isNull();
    machine.day += DAY;
    assertThat(clock.moment().isKnown()).isFalse();
    assertThat(clock.confirm(machine.day)).isNull();
    assertThat(clock.moment()).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.OPERATOR);
  }

  @Test
  void confirm_ofAClockThatHasJumpedAgain_changesNothing() {
    WatchedClock clock = clock(false);
    machine.day += DAY;
    assertThat(clock.moment().isKnown()).isFalse();
    long shown = machine.day;
    machine.day += DAY;
    assertThat(clock.moment().isKnown()).isFalse();
    assertThat(clock.confirm(shown)).isEqualTo(machine.day);
    assertThat(clock.moment().isKnown()).isFalse();
  }

  @Test
  void judge_ofAStoreWhoseClockJumps_isHeldBackByTheNodesOwn() {
    WatchedClock clock = clock(true);
    assertThat(judge(clock, machine.day)).isEqualTo(Moment.of(START));
    machine.pass(Duration.ofSeconds(1));
    assertThat(judge(clock, machine.day + DAY).earliest()).isEqualTo(machine.day);
    // However long it stays: a clock that has not moved contradicts.
    machine.pass(Duration.ofHours(1));
    assertThat(judge(clock, machine.day + DAY).earliest()).isEqualTo(machine.day);
    assertThat(clock.inDoubt()).isNotNull().matches(WatchedClock.InDoubt::objected);
    assertThat(clock.millis()).isEqualTo(machine.day);
    machine.pass(Duration.ofSeconds(1));
    assertThat(judge(clock, machine.day)).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.RETURNED);
  }

  @Test
  void judge_ofAStoreWhoseClockIsSetRight_isBelievedAtOnce() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day - DAY);
    machine.pass(Duration.ofSeconds(1));
    assertThat(judge(clock, machine.day)).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.OWN_CLOCK);
  }

  @Test
  void judge_whenAllClocksOfOneMachineJump_noneOfThemIsAWitness() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day);
    machine.day += DAY;
    assertThat(judge(clock, machine.day).isKnown()).isFalse();
    machine.pass(Duration.ofMinutes(1));
    assertThat(judge(clock, machine.day).isKnown()).isFalse();
  }

  /** The answer was long on its way; the clock did not jump. */
  @Test
  void judge_ofAnAnswerThatCameLate_doesNotDoubt() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day);
    long asked = clock.asking();
    long read = machine.day;
    machine.pass(Duration.ofSeconds(50));
    assertThat(clock.judge(read, asked).isKnown()).isTrue();
    machine.pass(Duration.ofSeconds(11));
    long late = clock.asking();
    long old = machine.day; // what would be the next base
    machine.pass(Duration.ofSeconds(30));
    assertThat(clock.judge(old, late).isKnown()).isTrue();
    assertThat(clock.millis()).isEqualTo(machine.day);
    assertThat(judge(clock, machine.day).isKnown()).isTrue();
    assertThat(heard).isEmpty();
  }

  /** The first answer may be late as well. */
  @Test
  void judge_afterAFirstAnswerThatCameLate_doesNotDoubt() {
    WatchedClock clock = clock(true);
    long asked = clock.asking();
    long read = machine.day;
    machine.pass(Duration.ofSeconds(30));
    clock.judge(read, asked);
    assertThat(judge(clock, machine.day)).isEqualTo(Moment.of(machine.day));
    assertThat(heard).isEmpty();
  }

  /** Two threads ask, one of them before the jump, and its answer comes last. */
  @Test
  void judge_ofAnAnswerOfBeforeTheJump_doesNotEndTheDoubt() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day);
    long asked = clock.asking();
    long read = machine.day;
    machine.pass(Duration.ofSeconds(1));
    machine.day += DAY;
    judge(clock, machine.day);
    assertThat(clock.judge(read, asked).isKnown()).isFalse();
    assertThat(clock.confirm(machine.day)).isNull();
    assertThat(clock.judge(read, asked)).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.OPERATOR);
  }

  private static Moment judge(WatchedClock clock, long read) {
    return clock.judge(read, clock.asking());
  }

  @Test
  void hear_ofANodeThatHasWatchedAllAlong_isBelieved() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day);
    machine.day += DAY; // this node slept: both clocks are ahead of the time it counted
    judge(clock, machine.day);
    clock.hear(1, List.of(known(9, 5, START - 1, START)));
    clock.hear(1, List.of(known(7, 7, machine.day - 1000, machine.day)));
    assertThat(clock.moment().isKnown()).as("that one was started since").isFalse();
    clock.hear(1, List.of(known(8, 7, START - 1, START)));
    assertThat(clock.moment().isKnown()).as("that one is not there any more").isFalse();
    clock.hear(1, List.of(known(9, 6, START - 1, machine.day)));
    assertThat(clock.moment().isKnown()).as("that was perhaps begun before").isFalse();
    clock.hear(1, List.of(known(9, 7, START - 1, machine.day)));
    assertThat(clock.moment()).isEqualTo(Moment.of(machine.day));
    assertThat(heard).containsExactly(DAY, Settled.OTHER_NODE);
  }

  @Test
  void hear_ofANodeThatObjects_waitsForAnOperatorAtAnyNode() {
    WatchedClock clock = clock(true);
    judge(clock, machine.day);
    machine.day += DAY;
    judge(clock, machine.day);
    clock.hear(1, List.of());
    clock.hear(1, List.of(new ClockView(9, 2, START - 1, machine.day, machine.day - DAY, true, 0)));
    machine.pass(Duration.ofHours(1));
    assertThat(judge(clock, machine.day).isKnown()).isFalse();
    long confirmed = machine.day - 1000;
    clock.hear(
        1, List.of(new ClockView(9, 3, START - 1, machine.day, machine.day, false, confirmed)));
    assertThat(judge(clock, machine.day).isKnown()).isTrue();
    assertThat(heard).containsExactly(DAY, Settled.OPERATOR);
  }

  private static ClockView known(long node, long number, long since, long claimed) {
    return new ClockView(node, number, since, claimed, claimed, false, 0);
  }

  @Test
  void takeOver_ofAProcessThatWasInDoubt_doubtsToo() {
    WatchedClock before = clock(false);
    machine.day += DAY;
    before.moment();
    ClockView left = before.view(0, 1);
    machine.pass(Duration.ofMinutes(1));
    WatchedClock after = clock(false);
    after.takeOver(List.of(left));
    assertThat(after.moment()).isEqualTo(new Moment(machine.day - DAY, machine.day));
    machine.pass(Duration.ofMinutes(5));
    assertThat(after.moment()).isEqualTo(Moment.of(machine.day));
    // And where the clock was set right in between there is no doubt.
    machine.day -= DAY;
    WatchedClock right = clock(false);
    right.takeOver(List.of(left));
    assertThat(right.moment()).isEqualTo(Moment.of(machine.day));
  }
}
