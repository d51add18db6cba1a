package dev.laurel.core.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeaturesTest {
  private static final Features FEATURES =
      Features.of(
          List.of(
              new Feature("name", FeatureType.STRING, false),
              new Feature("count", FeatureType.INTEGER, false),
              new Feature("amount", FeatureType.FLOAT, false),
              new Feature("vip", FeatureType.BOOLEAN, false)));

  @ParameterizedTest
  @ValueSource(strings = {"a", "_", "t", "transactionAmount", "x1", "round", "min", "nothing"})
  void of_aName_isTaken(String name) {
    assertThat(Features.of(List.of(feature(name))).indexOf(name)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1a",
        "a-b",
        "a.b",
        "a b",
        "$a",
        "#a",
        "é",
        "\u0430",
        "a\0",
        "a\n",
        "T",
        "and",
        "OR",
        "Not",
        "eq",
        "NE",
        "lt",
        "gt",
        "le",
        "ge",
        "div",
        "MOD",
        "between",
        "matches",
        "instanceof",
        "new",
        "null",
        "TRUE",
        "false",
        "this",
        "root"
      })
  void of_noName_isRefused(String name) {
    assertRefused(List.of(feature("fine"), feature(name)), "features[1].name: ");
  }

  @Test
  void of_tooMuch_isRefused() {
    assertThat(Features.of(List.of(feature("x".repeat(64)))).list()).hasSize(1);
    assertRefused(List.of(feature("x".repeat(65))), "features[0].name: ");
    assertRefused(List.of(feature("a"), feature("b"), feature("a")), "features[2].name: a ");
    List<Feature> many = new ArrayList<>();
    for (int i = 0; i < 65; i++) {
      many.add(feature("f" + i));
    }
    assertRefused(many, "features: 65 of them (expected: at most 64)");
    assertThat(Features.of(many.subList(0, 64)).indexOf("f63")).isEqualTo(63);
  }

  @Test
  void check_values_areTyped() {
    FeatureValues values =
        checked(Map.of("name", "ann", "count", 12L, "amount", new BigDecimal("1.50"), "vip", true));
    assertThat(values.text(0)).isEqualTo("ann");
    assertThat(values.number(1)).isEqualTo("12");
    assertThat(values.number(2)).isEqualTo("1.50");
    assertThat(values.truth(3)).isTrue();
    assertThat(values.asMap()).containsOnlyKeys("name", "count", "amount", "vip");
  }

  @Test
  void check_undeclaredAndMissingOptional_areIgnored() {
    Map<String, Object> raw = new HashMap<>(Map.of("other", List.of(), "T(x)", 1L));
    raw.putAll(Collections.singletonMap("name", null));
    FeatureValues values = checked(raw);
    assertThat(values.text(0)).isNull();
    assertThat(values.number(1)).isNull();
    assertThat(values.asMap()).isEmpty();
  }

  @Test
  void check_requiredButMissing_isRefusedByName() {
    Features required = Features.of(List.of(feature("a"), feature("b")));
    assertThat(refusal(required, Map.of("a", 1L)).message())
        .isEqualTo("features.b: missing (expected: " + FeatureType.FLOAT.expected() + ")");
    Rejection refused = refusal(required, Collections.singletonMap("a", null));
    assertThat(refused.code()).isEqualTo(ErrorCode.FEATURE_MISSING);
    assertThat(refused.details()).containsEntry("field", "features.a");
  }

  @ParameterizedTest
  @CsvSource({
    "12, 12",
    "12.0, 12",
    "1e3, 1000",
    "0, 0",
    "-0.000, 0",
    "0e999999999, 0",
    "0e-999999999, 0",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "9223372036854775807.00, 9223372036854775807",
  })
  void check_wholeNumbers_areIntegers(BigDecimal raw, String expected) {
    assertThat(checked(Map.of("count", raw)).number(1)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.5",
        "12.01",
        "9223372036854775808",
        "-9223372036854775809",
        "1e19",
        "1e999999999",
        "1e-999999999",
        "1e-40",
        "1e34",
        "1e2147483647",
        "1e-2147483647"
      })
  void check_otherNumbers_areNoIntegers(BigDecimal raw) {
    assertInvalid("count", raw);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1",
    "1e33, 1e33",
    "-0.0, 0",
    "1e-34, 1e-34",
    "5e-35, 1e-34",
    "4e-35, 0",
    "1e-999999999, 0",
    "1e-2147483647, 0",
    "0e2147483647, 0",
    "3.3333333333333335e-20, 3.33333333333333e-20",
    "0.12345678901234567890123456789012345, 0.1234567890123456789012345678901235",
  })
  void check_numbers_areRoundedToWhatIsKept(BigDecimal raw, BigDecimal expected) {
    assertThat(checked(Map.of("amount", raw)).number(2)).isEqualByComparingTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e34", "-1e34", "1e999999999", "1e2147483647"})
  void check_hugeNumbers_areRefused(BigDecimal raw) {
    assertInvalid("amount", raw);
    assertInvalid("amount", raw.negate());
  }

  @Test
  void check_manyDigits_areRefused() {
    assertInvalid("amount", new BigDecimal("0." + "1".repeat(101)));
    assertInvalid("amount", new BigDecimal("9".repeat(34) + ".9"));
    assertInvalid("amount", BigInteger.TEN.pow(50));
  }

  @Test
  void check_otherTypes_areRefused() {
    for (Object raw : List.of("12", true, 1.5, List.of(1L), Map.of("a", 1L), new Object())) {
      assertInvalid("count", raw);
      assertInvalid("amount", raw);
    }
    for (Object raw : List.of(1L, true, List.of())) {
      assertInvalid("name", raw);
    }
    for (Object raw : List.of(1L, "true", List.of())) {
      assertInvalid("vip", raw);
    }
    assertInvalid("name", "x".repeat(257));
    assertThat(checked(Map.of("name", "x".repeat(256), "count", 3)).number(1)).isEqualTo("3");
  }

  @Test
  void sample_withoutTheOptional_hasTheRequiredOnly() {
    Features features =
        Features.of(List.of(feature("a"), new Feature("b", FeatureType.INTEGER, false)));
    assertThat(features.sample(true).asMap()).containsOnlyKeys("a", "b");
    assertThat(features.sample(false).asMap()).containsOnlyKeys("a");
  }

  private static Feature feature(String name) {
    return new Feature(name, FeatureType.FLOAT, true);
  }

  private static FeatureValues checked(Map<String, ?> raw) {
    return (FeatureValues) FEATURES.check(raw);
  }

  private static Rejection refusal(Features features, Map<String, ?> raw) {
    return ((Checked.Refused) features.check(raw)).rejection();
  }

  private static void assertInvalid(String name, Object raw) {
    Rejection refused = refusal(FEATURES, Map.of(name, raw));
    assertThat(refused.code()).isEqualTo(ErrorCode.FEATURE_INVALID);
    assertThat(refused.message()).startsWith("features." + name + ": ").hasSizeLessThan(200);
  }

  private static void assertRefused(List<Feature> features, String message) {
    assertThatThrownBy(() -> Features.of(features))
        .isInstanceOf(RejectedException.class)
        .hasMessageStartingWith("VALIDATION_ERROR: " + message);
  }
}
