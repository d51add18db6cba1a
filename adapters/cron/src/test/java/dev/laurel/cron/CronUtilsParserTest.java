package dev.laurel.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.RejectedException;
import dev.laurel.core.season.CronFirings;
import dev.laurel.testkit.Seeds;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Seeds.class)
class CronUtilsParserTest {
  private static final ZoneId UTC = ZoneOffset.UTC;

  private final CronUtilsParser parser = new CronUtilsParser();

  /** The first firing of each in 2026, a year that begins on a Thursday. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 0 1 * ?              | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z
          0 0 1 * *                | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z
          30 15 10 * * ?           | 2026-01-01T10:15:30Z | 2026-01-02T10:15:30Z
          0 0 0 L * ?              | 2026-01-31T00:00:00Z | 2026-02-28T00:00:00Z
          0 0 0 L-3 * ?            | 2026-01-28T00:00:00Z | 2026-02-25T00:00:00Z
          0 0 0 L-30 * ?           | 2026-01-01T00:00:00Z | 2026-03-01T00:00:00Z
          0 0 0 LW * ?             | 2026-01-30T00:00:00Z | 2026-02-27T00:00:00Z
          0 0 0 17W * ?            | 2026-01-16T00:00:00Z | 2026-02-17T00:00:00Z
          0 0 0 1W 2,8 ?           | 2026-02-02T00:00:00Z | 2026-08-03T00:00:00Z
          0 0 0 31W 5,2 ?          | 2026-05-29T00:00:00Z | 2027-05-31T00:00:00Z
          0 0 0 ? * MON#1          | 2026-01-05T00:00:00Z | 2026-02-02T00:00:00Z
          0 0 0 ? * 5#5            | 2026-01-29T00:00:00Z | 2026-04-30T00:00:00Z
          0 0 0 ? * 6L             | 2026-01-30T00:00:00Z | 2026-02-27T00:00:00Z
          0 0 0 ? * L              | 2026-01-03T00:00:00Z | 2026-01-10T00:00:00Z
          0 0 0 ? * SAT-MON        | 2026-01-03T00:00:00Z | 2026-01-04T00:00:00Z
          0 0 22-2 * * ?           | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z
          0 0 0 1,15,L * ?         | 2026-01-01T00:00:00Z | 2026-01-15T00:00:00Z
          0 0 0 29 2 ?             | 2028-02-29T00:00:00Z | 2032-02-29T00:00:00Z
          0 0 0 ? 2 6#5            | 2036-02-29T00:00:00Z | 2064-02-29T00:00:00Z
          0 0 0 1 1 ? 2090-2095/5  | 2090-01-01T00:00:00Z | 2095-01-01T00:00:00Z
          0 0 12 1 jan ? */3       | 2027-01-01T12:00:00Z | 2030-01-01T12:00:00Z
          0 0 * * 0                | 2026-01-04T00:00:00Z | 2026-01-11T00:00:00Z
          0 0 * * 7                | 2026-01-04T00:00:00Z | 2026-01-11T00:00:00Z
          0 0 13 * 5               | 2026-01-02T00:00:00Z | 2026-01-09T00:00:00Z
          0 0 30 2 1               | 2026-02-02T00:00:00Z | 2026-02-09T00:00:00Z
          0 5/20 9-10 ? * MON-FRI  | 2026-01-01T09:05:00Z | 2026-01-01T09:25:00Z
          """)
  void next_formsOfQuartzAndUnix_meanWhatTheySay(String cron, String first, String second) {
    CronFirings firings = parser.parse(cron, UTC);
    assertThat(Times.next(firings, "2025-12-31T23:59:59Z")).isEqualTo(first);
    assertThat(Times.next(firings, first)).isEqualTo(second);
    assertThat(firings.last(Times.ms(second)).orElseThrow()).isEqualTo(Times.ms(second));
    assertThat(firings.last(Times.ms(second) - 1).orElseThrow()).isEqualTo(Times.ms(first));
  }

  @Test
  void next_pastTheLastYear_isEmptyAndLastIsKept() {
    CronFirings once = parser.parse("0 0 0 1 1 ? 2020", UTC);
    assertThat(once.next(Times.ms("2020-01-01T00:00:00Z"))).isEmpty();
    assertThat(once.next(Long.MAX_VALUE)).isEmpty();
    assertThat(once.last(Long.MAX_VALUE)).hasValue(Times.ms("2020-01-01T00:00:00Z"));
    assertThat(once.last(Times.ms("2020-01-01T00:00:00Z") - 1)).isEmpty();
    assertThat(once.last(Long.MIN_VALUE)).isEmpty();
    assertThat(once.next(Long.MIN_VALUE)).hasValue(Times.ms("2020-01-01T00:00:00Z"));
  }

  @Test
  void next_fractionOfASecond_isStrictlyAfter() {
    CronFirings cron = parser.parse("0 0 0 1 * ?", UTC);
    long first = Times.ms("2026-01-01T00:00:00Z");
    assertThat(cron.next(first - 1)).hasValue(first);
    assertThat(cron.last(first - 1).orElseThrow()).isLessThan(first);
    assertThat(cron.last(first + 1)).hasValue(first);
    assertThat(cron.next(first).orElseThrow()).isGreaterThan(first);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 0 30 2 ?",
        "0 0 0 31 4,6,9,11 ?",
        "0 0 31 2 *",
        "0 0 0 ? * MON#6",
        "0 0 0 L-31 * ?",
        "0 0 0 31W 2 ?",
        "0 0 0 29 2 ? 2025-2027"
      })
  void parse_neverFires_isRefused(String cron) {
    assertThatThrownBy(() -> parser.parse(cron, UTC))
        .isInstanceOf(RejectedException.class)
        .hasMessageStartingWith("VALIDATION_ERROR: cronExpression: " + cron + " (expected: ")
        .hasMessageContaining("it never fires");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                    | it has 0 fields
          "   "                 | it has 0 fields
          0 0 0 1               | it has 4 fields
          0 0 0 1 * ? * *       | it has 8 fields
          @daily                | only letters, digits
          0 0 0 1 \u0000 ?      | only letters, digits
          0 0 ０ 1 * ?          | only letters, digits
          60 0 0 * * ?          | Value 60 not in range [0, 59]
          0 0 24 * * ?          | Value 24 not in range [0, 23]
          0 0 0 32 * ?          | Value 32 not in range [1, 31]
          0 0 0 1 13 ?          | Value 13 not in range [1, 12]
          0 0 0 ? * 8           | Value 8 not in range [1, 7]
          0 0 0 1 * ? 1969      | Value 1969 not in range [1970, 2099]
          0 */0 * * * ?         | Period 0 not in range
          0 0 0 * * *           | one of day of month and day of week must be ?
          0 0 0 ? * ?           | one of day of month and day of week must be ?
          0 0 0 10L * ?         | 10L is not understood
          0 0 0 15-L * ?        | not understood
          0 0 0 W * ?           | Invalid chars
          0 0 0 ? * #           | Position of #
          0 0 L * *             | Invalid chars
          a b c d e f           | Invalid chars
          0 */99999999999 * * * ? | 99999999999
          """)
  void parse_wrong_saysWhatIsWrong(String cron, String reason) {
    assertThatThrownBy(() -> parser.parse(cron, UTC))
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void parse_severalCronsInOne_areRefused() {
    assertThatThrownBy(() -> parser.parse("0 0 0 1 * ?||0 0 0 2 * ?", UTC))
        .isInstanceOf(RejectedException.class);
  }

  @Test
  void parse_tooLong_isRefusedBeforeItIsRead() {
    String longList = "0 0 0 " + "1,".repeat(1_000_000) + "1 * ?";
    assertThatThrownBy(() -> parser.parse(longList, UTC))
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("longer than 120 characters");
  }

  /** Whatever is written, the answer is a schedule or a refusal, and firings go forward. */
  @Test
  void parse_randomText_isReadOrRefused(Random random) {
    String letters = "0123456789*?/,#-LW ANSUMOEFRI";
    String[] parts = {
      "*",
      "?",
      "0",
      "1",
      "L",
      "LW",
      "W",
      "1W",
      "#",
      "2#1",
      "-",
      "1-5",
      "/",
      "*/5",
      "MON",
      "FRIL",
      "JAN",
      ",",
      "1,2",
      "L-3",
      "59",
      "23",
      "31",
      "12",
      "7",
      "2026",
      "99999999999"
    };
    for (int round = 0; round < 100_000; round++) {
      StringBuilder text = new StringBuilder();
      boolean fields = random.nextBoolean();
      for (int n = fields ? 5 + random.nextInt(3) : random.nextInt(30); n > 0; n--) {
        text.append(
            fields
                ? parts[random.nextInt(parts.length)]
                    + (random.nextInt(4) == 0 ? parts[random.nextInt(parts.length)] : "")
                    + " "
                : letters.charAt(random.nextInt(letters.length())));
      }
      try {
        CronFirings firings = parser.parse(text.toString(), ZoneId.of("Europe/Berlin"));
        long now = random.nextLong(0, 4_000_000_000_000L);
        assertThat(firings.next(now).orElse(Long.MAX_VALUE)).isGreaterThan(now);
        assertThat(firings.last(now).orElse(Long.MIN_VALUE)).isLessThanOrEqualTo(now);
      } catch (RejectedException refused) {
        assertThat(refused.rejection().message()).startsWith("cronExpression: ");
      }
    }
  }
}
