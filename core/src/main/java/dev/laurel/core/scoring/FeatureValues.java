package dev.laurel.core.scoring;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of one event, each of its feature's type, by the feature's index; null is an optional
 * one that was not sent. Immutable.
 */
public final class FeatureValues implements Checked {
  /** The longest text there is, sent or made by an expression. */
  public static final int MAX_STRING = 256;

  private final Features features;
  private final @Nullable Object[] values;

  FeatureValues(Features features, @Nullable Object[] values) {
    this.features = features;
    this.values = values;
  }

  public Features features() {
    return features;
  }

  /** Of an INTEGER or FLOAT feature. */
  public @Nullable BigDecimal number(int index) {
    return (BigDecimal) values[index];
  }

  /** Of a STRING feature. */
  public @Nullable String text(int index) {
    return (String) values[index];
  }

  /** Of a BOOLEAN feature. */
  public @Nullable Boolean truth(int index) {
    return (Boolean) values[index];
  }

  /** Those that are present, as declared: to show a sample. */
  public Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      if (value != null) {
        map.put(features.get(i).name(), value);
      }
    }
    return map;
  }
}
