package dev.laurel.core.scoring;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The features a board declares, in their order. Immutable. */
public final class Features {
  public static final int MAX_FEATURES = 64;
  public static final int MAX_NAME = 64;

  /** Words of the expression language, in any case; a feature of that name could not be told. */
  private static final Set<String> WORDS =
      Set.of(
          "and",
          "or",
          "not",
          "eq",
          "ne",
          "lt",
          "gt",
          "le",
          "ge",
          "div",
          "mod",
          "between",
          "matches",
          "instanceof",
          "new",
          "null",
          "true",
          "false",
          "this",
          "root");

  private static final String NAME_EXPECTED =
      "a name of letters, digits and _, not starting with a digit, of at most "
          + MAX_NAME
          + " characters, that is no word of the expression language";

  private final List<Feature> list;
  private final Map<String, Integer> indexes;

  private Features(List<Feature> list, Map<String, Integer> indexes) {
    this.list = list;
    this.indexes = indexes;
  }

  /**
   * @throws RejectedException naming the first feature that cannot be
   */
  public static Features of(List<Feature> features) {
    if (features.size() > MAX_FEATURES) {
      throw Rejection.invalid("features", features.size() + " of them", "at most " + MAX_FEATURES)
          .asException();
    }
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < features.size(); i++) {
      String name = features.get(i).name();
      if (!isName(name)) {
        throw Rejection.invalid("features[" + i + "].name", name, NAME_EXPECTED).asException();
      }
      if (indexes.put(name, i) != null) {
        throw Rejection.invalid("features[" + i + "].name", name, "a name that is not there yet")
            .asException();
      }
    }
    return new Features(List.copyOf(features), indexes);
  }

  private static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && (i == 0 || c < '0' || c > '9')) {
        return false;
      }
    }
    // T(…) names a type in SpEL, t does not.
    return !name.equals("T") && !WORDS.contains(name.toLowerCase(Locale.ROOT));
  }

  public List<Feature> list() {
    return list;
  }

  public Feature get(int index) {
    return list.get(index);
  }

  /** -1 if it is not declared. */
  public int indexOf(String name) {
    return indexes.getOrDefault(name, -1);
  }

  /**
   * Types the values of an event. What is not declared is ignored; null counts as not sent.
   *
   * @param raw values as they were sent: String, Boolean, Long, Integer, BigInteger or BigDecimal;
   *     anything else is of no type
   */
  public Checked check(Map<String, ? extends @Nullable Object> raw) {
    @Nullable Object[] values = new @Nullable Object[list.size()];
    for (int i = 0; i < values.length; i++) {
      Feature feature = list.get(i);
      Object value = raw.get(feature.name());
      if (value == null) {
        if (feature.required()) {
          return new Checked.Refused(
              refusal(ErrorCode.FEATURE_MISSING, feature, "missing", feature.type()));
        }
        continue;
      }
      Object typed = FeatureTyping.typed(feature.type(), value);
      if (typed == null) {
        return new Checked.Refused(
            refusal(ErrorCode.FEATURE_INVALID, feature, shown(value), feature.type()));
      }
      values[i] = typed;
    }
    return new FeatureValues(this, values);
  }

  private static Rejection refusal(
      ErrorCode code, Feature feature, Object value, FeatureType type) {
    Rejection said =
        Rejection.expectation(code, "features." + feature.name(), value, type.expected());
    return Rejection.of(
        code,
        said.message(),
        Map.of("field", "features." + feature.name(), "expected", type.name()));
  }

  private static Object shown(Object value) {
    return value instanceof String || value instanceof Number || value instanceof Boolean
        ? value
        : "not a single value";
  }

  /**
   * Plain values, to show what an expression makes of them when it is configured.
   *
   * @param optional whether the optional features are there too
   */
  public FeatureValues sample(boolean optional) {
    @Nullable Object[] values = new @Nullable Object[list.size()];
    for (int i = 0; i < values.length; i++) {
      Feature feature = list.get(i);
      if (feature.required() || optional) {
        values[i] =
            switch (feature.type()) {
              case STRING -> "sample";
              case INTEGER -> BigDecimal.TEN;
              case FLOAT -> new BigDecimal("2.5");
              case BOOLEAN -> true;
            };
      }
    }
    return new FeatureValues(this, values);
  }
}
