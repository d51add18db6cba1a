package dev.laurel.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallersTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "pod-fps-score-updates", "https://login.example", "Ünïcode 🏆"})
  void numbers_ofNames_areNoKeysAndNobodyElses(String name) {
    long topic = Callers.ofTopic(name);
    long bearer = Callers.ofIssuer(name);
    long awards = Callers.ofAwards(name);
    assertThat(new long[] {topic, bearer, awards}).doesNotHaveDuplicates();
    for (long number : new long[] {topic, bearer, awards}) {
      assertThat(number).isBetween(-(1L << 47), -1L);
    }
    assertThat(Callers.awardsOf(bearer)).isEqualTo(awards);
    assertThat(Callers.isAwards(awards)).isTrue();
    assertThat(Callers.isAwards(topic) || Callers.isAwards(bearer)).isFalse();
    assertThat(Callers.ofTopic(name + "'")).isNotEqualTo(topic);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3, 7, Long.MAX_VALUE})
  void keys_areNeverAwards(long key) {
    assertThat(Callers.isAwards(key)).isFalse();
  }

  /** Ledgers have them. */
  @Test
  void numbers_stayWhatTheyAre() {
    assertThat(Callers.ofTopic("pod-fps-score-updates")).isEqualTo(-69_860_684_240_233L);
    assertThat(Callers.ofIssuer("https://login.example")).isEqualTo(-2_564_715_260_746L);
  }
}
