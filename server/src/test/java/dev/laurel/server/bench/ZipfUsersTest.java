package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfUsersTest {
  private static final int SAMPLES = 1_000_000;

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.99, 1.0, 1.5})
  void nextPopularity_manySamples_followsThePowerLaw(double exponent) {
    int users = 1000;
    ZipfUsers zipf = new ZipfUsers(users, exponent, new SplittableRandom(7));
    int[] seen = new int[users + 1];
    for (int i = 0; i < SAMPLES; i++) {
      seen[zipf.nextPopularity()]++;
    }
    double norm = 0;
    for (int k = 1; k <= users; k++) {
      norm += Math.pow(k, -exponent);
    }
    assertThat(seen[0]).isZero();
    for (int k = 1; k <= users; k++) {
      double expected = SAMPLES * Math.pow(k, -exponent) / norm;
      // Six standard deviations of a Poisson count: a right sampler misses it once in 10^8.
      assertThat((double) seen[k])
          .as("popularity %d", k)
          .isCloseTo(expected, within(6 * Math.sqrt(expected) + 3));
    }
  }

  @Test
  void user_allPopularities_areAllUsers() {
    int users = 100_000;
    ZipfUsers zipf = new ZipfUsers(users, 1, new SplittableRandom(1));
    BitSet seen = new BitSet();
    for (int k = 1; k <= users; k++) {
      seen.set(zipf.user(k));
    }
    assertThat(seen.cardinality()).isEqualTo(users);
    assertThat(seen.length()).isEqualTo(users);
  }

  @Test
  void next_oneUser_isAlwaysTheOne() {
    assertThat(new ZipfUsers(1, 1, new SplittableRandom(1)).next()).isZero();
  }
}
