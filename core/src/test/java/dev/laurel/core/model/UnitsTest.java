package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 6, 0",
    "-0, 6, 0",
    "0.0000, 0, 0",
    "1500.5, 2, 150050",
    "1500, 0, 1500",
    "1e3, 2, 100000",
    "1E+3, 0, 1000",
    "25e-1, 0, 3",
    "9007199254740993, 0, 9007199254740993",
    "9223372036854775807, 0, 9223372036854775807",
    "-9223372036854775808, 0, -9223372036854775808",
    "9223372036854775807.4, 0, 9223372036854775807",
    "9223372036.854775807, 9, 9223372036854775807",
    "0.5, 0, 1",
    "-0.5, 0, -1",
    "1.5, 0, 2",
    "2.5, 0, 3",
    "-2.5, 0, -3",
    "2.4999999999999999999999999, 0, 2",
    "0.05, 1, 1",
    "0.049, 1, 0",
    "-0.05, 1, -1",
    "0.0049, 1, 0",
    "1e-999999999, 6, 0",
    "-1e-999999999, 6, 0",
    "0e999999999, 6, 0",
  })
  void parse_numbersThatFit_areRoundedHalfAwayFromZero(String text, int decimals, long expected) {
    assertThat(Units.parse(text, decimals)).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+",
        ".",
        "e",
        "NaN",
        "Infinity",
        "-Infinity",
        "0x10",
        "1.",
        ".5",
        "-.5",
        "+1",
        "01",
        "-01",
        "00",
        "1e",
        "1e+",
        "1e-",
        "e5",
        "1.e5",
        "1..2",
        "1.2.3",
        "--1",
        " 1",
        "1 ",
        "1_000",
        "1,5",
        "1d",
        "1f",
        "1L",
        "١٢",
        "1٢",
        "1.٢",
        "1e٢",
        "１２",
        "null",
        "true",
        "1\0",
        "1e999999999",
        "-1e999999999",
        "1e99999999999999999999",
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775807.5",
        "1e19",
        "1e20",
        "99999999999999999999",
      })
  void parse_notAJsonNumberOrTooLarge_isEmpty(String text) {
    assertThat(Units.parse(text, 0)).isEmpty();
  }

  @Test
  void parse_moreCharactersThanAnyScoreNeeds_isEmpty() {
    assertThat(Units.parse("1" + "0".repeat(100_000), 0)).isEmpty();
    assertThat(Units.parse("0." + "1".repeat(100_000), 0)).isEmpty();
  }

  @Test
  void parse_randomNumbers_agreesWithDecimalArithmetic() {
    Seeds.withSeed(
        random -> {
          for (int i = 0; i < 200_000; i++) {
            int decimals = random.nextInt(Units.MAX_DECIMALS + 1);
            String text = randomNumber(random);
            assertThat(Units.parse(text, decimals))
                .as("%s with %d decimals", text, decimals)
                .isEqualTo(expected(new BigDecimal(text), decimals));
          }
        });
  }

  @Test
  void format_anyUnits_comesBack() {
    Seeds.withSeed(
        random -> {
          for (int i = 0; i < 200_000; i++) {
            int decimals = random.nextInt(Units.MAX_DECIMALS + 1);
            long units = randomUnits(random);
            String text = Units.format(units, decimals);
            assertThat(Units.parse(text, decimals)).as(text).hasValue(units);
            BigDecimal shortest = BigDecimal.valueOf(units, decimals).stripTrailingZeros();
            assertThat(text).isEqualTo(units == 0 ? "0" : shortest.toPlainString());
            assertThat(Units.toDecimal(units, decimals)).isEqualByComparingTo(shortest);
            StringBuilder out = new StringBuilder("x");
            Units.append(out, units, decimals);
            assertThat(out).hasToString("x" + text);
          }
        });
  }

  private static OptionalLong expected(BigDecimal value, int decimals) {
    BigDecimal scaled = value.movePointRight(decimals);
    BigInteger floor = scaled.abs().toBigInteger();
    boolean up = scaled.abs().subtract(new BigDecimal(floor)).compareTo(new BigDecimal("0.5")) >= 0;
    BigInteger rounded = up ? floor.add(BigInteger.ONE) : floor;
    BigInteger units = value.signum() < 0 ? rounded.negate() : rounded;
    assertThat(units).isEqualTo(scaled.setScale(0, RoundingMode.HALF_UP).toBigInteger());
    return units.bitLength() < 64 ? OptionalLong.of(units.longValue()) : OptionalLong.empty();
  }

  private static String randomNumber(Random random) {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    int whole = random.nextInt(22);
    text.append(whole == 0 ? "0" : String.valueOf((char) ('1' + random.nextInt(9))));
    digits(text, whole - 1, random);
    if (random.nextBoolean()) {
      text.append('.').append(random.nextInt(10));
      digits(text, random.nextInt(14), random);
    }
    if (random.nextInt(4) == 0) {
      text.append(random.nextBoolean() ? "e" : "E").append(random.nextInt(60) - 40);
    }
    return text.toString();
  }

  private static void digits(StringBuilder text, int count, Random random) {
    // Halves are where rounding goes wrong.
    String digits = random.nextBoolean() ? "0123456789" : "0559";
    for (int i = 0; i < count; i++) {
      text.append(digits.charAt(random.nextInt(digits.length())));
    }
  }

  private static long randomUnits(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(2001) - 1000;
      case 1 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      case 2 -> (random.nextInt(2001) - 1000) * 1_000_000L;
      default -> random.nextLong() >> random.nextInt(63);
    };
  }
}
