package dev.laurel.core.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OutgoingTest {
  @Test
  void pause_afterEachTry_doublesUpToAnHour() {
    assertThat(IntStream.rangeClosed(1, Outgoing.MAX_TRIES).mapToLong(t -> Outgoing.pause(t, 0)))
        .containsExactly(
            5_000L,
            10_000L,
            20_000L,
            40_000L,
            80_000L,
            160_000L,
            320_000L,
            640_000L,
            1_280_000L,
            2_560_000L,
            3_600_000L,
            3_600_000L);
    assertThat(Outgoing.pause(1_000_000, 0)).isEqualTo(3_600_000);
  }

  @Test
  void pause_byChance_isShorterByAtMostAQuarter() {
    assertThat(Outgoing.pause(2, 0.5)).isEqualTo(8_750);
    assertThat(Outgoing.pause(2, Math.nextDown(1.0))).isBetween(7_500L, 7_501L);
  }
}
