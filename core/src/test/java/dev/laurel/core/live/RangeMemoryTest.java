package dev.laurel.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class RangeMemoryTest {
  private static final Encoding ENCODING =
      (Encoding)
          Proxy.newProxyInstance(
              Encoding.class.getClassLoader(),
              new Class<?>[] {Encoding.class},
              (_, method, _) ->
                  switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> true; // there is only this one
                    default -> throw new UnsupportedOperationException(method.getName());
                  });

  private static Watched around(int user) {
    return new Watched(1, "b", 0, Watched.NEWEST, new Range.Around("u" + user, 50), ENCODING);
  }

  @Test
  void require_moreRangesThanThereIsRoomFor_isRefusedUntilSomeAreWatchedByNobody() {
    RangeMemory memory = new RangeMemory(1 << 20);
    int let = 0;
    while (let < 1000) {
      try {
        memory.require(around(let));
      } catch (RejectedException e) {
        assertThat(e.rejection().code()).isEqualTo(ErrorCode.OVERLOADED);
        break;
      }
      let++;
    }
    assertThat(let).isBetween(5, 100);
    long used = memory.used();
    assertThat(used).isLessThanOrEqualTo(1 << 19);
    memory.require(around(0)); // which is there
    assertThat(memory.used()).isEqualTo(used);
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> memory.require(around(5000)));
    assertThat(memory.used()).isEqualTo(used);
  }

  @Test
  void require_oneAlone_isLetInHoweverLittleThereIs() {
    RangeMemory memory = new RangeMemory(10);
    memory.require(around(1));
    assertThatExceptionOfType(RejectedException.class).isThrownBy(() -> memory.require(around(2)));
  }

  @Test
  void recentBytes_ofManyRanges_areSharedByThem() {
    RangeMemory memory = new RangeMemory(20 << 20);
    assertThat(memory.recentBytes(1)).isEqualTo(RangeMemory.MOST_RECENT_BYTES);
    assertThat(memory.recentBytes(10_000)).isEqualTo((10 << 20) / 10_000);
  }
}
