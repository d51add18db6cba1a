package dev.laurel.core.pod;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.IsoTimes;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.PodSchema.ScoreType;
import dev.laurel.core.model.Rejection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads events by one schema, whose paths are parsed once. Pure; immutable.
 *
 * <p>An event is a tree of JSON: Map, List, String, BigDecimal, Boolean, null.
 */
final class SchemaReader {
  private final PodSchema schema;
  private final Map<String, FieldPath> required = new LinkedHashMap<>();
  private final @Nullable FieldPath eventId;

  SchemaReader(PodSchema schema) {
    this.schema = schema;
    PodSchema.Mappings mappings = schema.mappings();
    required.put("userId", path("userId", mappings.userId()));
    required.put("score", path("score", mappings.score()));
    required.put("timestamp", path("timestamp", mappings.timestamp()));
    required.put("UUID", path("UUID", mappings.uuid()));
    String id = mappings.eventId();
    this.eventId = id == null ? null : path("eventId", id);
  }

  private static FieldPath path(String name, String text) {
    FieldPath path = FieldPath.parse(text);
    if (path == null) {
      throw Rejection.invalid("fieldMappings." + name, text, FieldPath.EXPECTED).asException();
    }
    return path;
  }

  PodSchema schema() {
    return schema;
  }

  /** Whether everything that is needed is there, right or wrong. */
  boolean fits(Map<String, @Nullable Object> event) {
    return required.values().stream().allMatch(path -> path.find(event) != null);
  }

  /**
   * Whether it has the id that the schema maps, if it maps one. An event without it is known by its
   * place in its topic, as events of schemas without ids are.
   */
  boolean fitsWithId(Map<String, @Nullable Object> event) {
    return fits(event) && (eventId == null || eventId.find(event) != null);
  }

  Transformed read(Map<String, @Nullable Object> event) {
    List<Rejection> errors = new ArrayList<>();
    String userId = text("userId", event, errors);
    BigDecimal score = score(event, errors);
    Long at = time(event, errors);
    String uuid = text("UUID", event, errors);
    FieldPath ids = eventId;
    String id = ids == null || ids.find(event) == null ? null : text("eventId", ids, event, errors);
    if (userId == null || score == null || at == null || uuid == null || !errors.isEmpty()) {
      return new Transformed.Failed(List.copyOf(errors), schema.version());
    }
    CommonEvent common =
        new CommonEvent(schema.podId(), id, uuid, userId, score, at, metadata(event));
    return new Transformed.Done(common, schema.version());
  }

  private Map<String, @Nullable Object> metadata(Map<String, @Nullable Object> event) {
    Map<String, @Nullable Object> rest = new LinkedHashMap<>(event);
    required.values().forEach(path -> path.removeFrom(rest));
    if (eventId != null) {
      eventId.removeFrom(rest);
    }
    return rest;
  }

  private FieldPath path(String name) {
    FieldPath path = required.get(name);
    if (path == null) {
      throw new IllegalArgumentException(name);
    }
    return path;
  }

  private @Nullable String text(
      String name, Map<String, @Nullable Object> event, List<Rejection> errors) {
    return text(name, path(name), event, errors);
  }

  /** Some pods have numbers for ids. */
  private static @Nullable String text(
      String name, FieldPath path, Map<String, @Nullable Object> event, List<Rejection> errors) {
    Object value = path.find(event);
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof BigDecimal number && number.scale() == 0) {
      return number.toPlainString();
    }
    errors.add(mismatch(name, path, value, "a string or a whole number"));
    return null;
  }

  private @Nullable BigDecimal score(Map<String, @Nullable Object> event, List<Rejection> errors) {
    FieldPath path = path("score");
    Object value = path.find(event);
    boolean whole = schema.scoreType() == ScoreType.INTEGER;
    String expected = whole ? "a whole number" : "a number";
    if (value == null) {
      errors.add(mismatch("score", path, null, expected));
      return null;
    }
    if (!(value instanceof BigDecimal number) || (whole && !isWhole(number))) {
      errors.add(wrong(ErrorCode.INVALID_SCORE, "score", path, value, expected));
      return null;
    }
    return number;
  }

  /** Without making the digits of 1e999999999. */
  private static boolean isWhole(BigDecimal number) {
    return number.scale() <= 0
        || number.signum() == 0
        || (number.precision() > number.scale() && number.stripTrailingZeros().scale() <= 0);
  }

  private @Nullable Long time(Map<String, @Nullable Object> event, List<Rejection> errors) {
    FieldPath path = path("timestamp");
    Object value = path.find(event);
    String expected =
        switch (schema.timestampFormat()) {
          case ISO_8601 -> IsoTimes.EXPECTED;
          case EPOCH_MILLIS -> "milliseconds since 1970, up to the year 9999";
          case EPOCH_SECONDS -> "seconds since 1970, up to the year 9999";
        };
    if (value == null) {
      errors.add(mismatch("timestamp", path, null, expected));
      return null;
    }
    Long millis =
        switch (schema.timestampFormat()) {
          case ISO_8601 -> value instanceof String text ? IsoTimes.millis(text) : null;
          case EPOCH_MILLIS -> value instanceof BigDecimal number ? millis(number, 0) : null;
          case EPOCH_SECONDS -> value instanceof BigDecimal number ? millis(number, 3) : null;
        };
    if (millis == null) {
      errors.add(wrong(ErrorCode.INVALID_TIMESTAMP, "timestamp", path, value, expected));
    }
    return millis;
  }

  /** What is less than a millisecond is left out, as it is of ISO times. */
  private static @Nullable Long millis(BigDecimal number, int power) {
    // Digits before the point: whoever writes 1e999999999 does not get its digits.
    long digits = (long) number.precision() - number.scale();
    if (number.signum() < 0 || digits > 16) {
      return null;
    }
    if (digits < -power) {
      return 0L;
    }
    long millis = number.movePointRight(power).longValue();
    return IsoTimes.isInRange(millis) ? millis : null;
  }

  private static Rejection mismatch(
      String name, FieldPath path, @Nullable Object value, String expected) {
    return wrong(
        ErrorCode.SCHEMA_MISMATCH, name, path, value == null ? "missing" : value, expected);
  }

  private static Rejection wrong(
      ErrorCode code, String name, FieldPath path, Object value, String expected) {
    String at = name.equals(path.toString()) ? name : name + " (at " + path + ")";
    return Rejection.expectation(code, at, describe(value), expected);
  }

  private static String describe(Object value) {
    return switch (value) {
      case Map<?, ?> _ -> "an object";
      case List<?> _ -> "an array";
      default -> value.toString();
    };
  }
}
