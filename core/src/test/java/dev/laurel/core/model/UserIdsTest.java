package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserIdsTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "user_123456", "é", "漢字", "😀", " ", "a b", "\"", "\\", "\u00a0"})
  void isValid_printable_isAccepted(String id) {
    assertThat(UserIds.isValid(id)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0",
        "a\n",
        "\t",
        "\u001f",
        "\u007f",
        "\u0080",
        "\u009f",
        "\u2028",
        "a\u2029b",
        "\uD83D",
        "\uDE00",
        "\uDE00\uD83D",
        "a\uD83D",
        "\uD83Da",
      })
  void isValid_emptyControlOrLoneSurrogate_isRefused(String id) {
    assertThat(UserIds.isValid(id)).isFalse();
  }

  @Test
  void isValid_length_countsCharactersNotChars() {
    assertThat(UserIds.isValid("a".repeat(128))).isTrue();
    assertThat(UserIds.isValid("a".repeat(129))).isFalse();
    assertThat(UserIds.isValid("😀".repeat(128))).isTrue();
    assertThat(UserIds.isValid("😀".repeat(129))).isFalse();
    assertThat(UserIds.isValid("😀".repeat(127) + "aa")).isFalse();
  }

  @Test
  void isValid_anyChars_meansTheBytesComeBack() {
    Seeds.withSeed(
        random -> {
          for (int i = 0; i < 100_000; i++) {
            String id = randomChars(random);
            boolean wellFormed = new String(UserIds.bytes(id), StandardCharsets.UTF_8).equals(id);
            boolean printable =
                id.codePoints()
                    .noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
            assertThat(UserIds.isValid(id))
                .as(() -> id.chars().boxed().toList().toString())
                .isEqualTo(wellFormed && printable && !id.isEmpty());
          }
        });
  }

  @Test
  void compare_validIds_isTheOrderOfCodePoints() {
    Seeds.withSeed(
        random -> {
          for (int i = 0; i < 100_000; i++) {
            String a = randomChars(random);
            String b = random.nextInt(4) == 0 ? a + randomChars(random) : randomChars(random);
            if (UserIds.isValid(a) && UserIds.isValid(b)) {
              int expected = compareCodePoints(a, b);
              assertThat(Integer.signum(UserIds.compare(a, b)))
                  .as("%s, %s", a, b)
                  .isEqualTo(Integer.signum(expected));
            }
          }
        });
  }

  /** UTF-8 orders as code points do, which is not how {@link String#compareTo} orders. */
  private static int compareCodePoints(String a, String b) {
    int[] left = a.codePoints().toArray();
    int[] right = b.codePoints().toArray();
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      if (left[i] != right[i]) {
        return left[i] - right[i];
      }
    }
    return left.length - right.length;
  }

  private static String randomChars(Random random) {
    StringBuilder id = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      switch (random.nextInt(10)) {
        case 0 -> id.append((char) random.nextInt(0x100));
        case 1 -> id.append((char) (0x2020 + random.nextInt(16)));
        case 2 -> id.append((char) (0xD800 + random.nextInt(0x800)));
        case 3, 4 -> id.appendCodePoint(0x1F600 + random.nextInt(16));
        case 5, 6 -> id.append((char) (0xE000 + random.nextInt(0x1fff)));
        default -> id.append((char) ('a' + random.nextInt(3)));
      }
    }
    return id.toString();
  }
}
