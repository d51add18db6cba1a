package dev.laurel.spel;

import dev.laurel.core.model.RejectedException;
import dev.laurel.core.scoring.FeatureValues;
import dev.laurel.core.scoring.Features;
import java.math.BigDecimal;
import java.util.List;

/**
 * A translated node: its code, and what is known of it before any event.
 *
 * @param type String, Boolean or BigDecimal
 * @param constant it reads no feature
 * @param name for messages: the feature's name, the literal, or the operation
 */
record Typed<T>(Class<T> type, Code<T> code, boolean constant, String name, int position) {
  /** For code that reads no feature. */
  static final FeatureValues NO_VALUES = Features.of(List.of()).sample(true);

  static <T> Typed<T> literal(Class<T> type, T value, int position) {
    return new Typed<>(type, (Code.Strict<T>) values -> value, true, value.toString(), position);
  }

  /**
   * The result of an operation. What reads no feature is computed here, once, and is refused as a
   * text if it fails: {@code 1 / 0}.
   */
  static <T> Typed<T> result(
      Class<T> type, Code<T> code, String name, int position, List<Typed<?>> operands) {
    if (!operands.stream().allMatch(Typed::constant)) {
      return new Typed<>(type, code, false, name, position);
    }
    try {
      return literal(type, strict(code, name, position).run(NO_VALUES), position);
    } catch (RejectedException failure) {
      throw Refusals.asInvalid(failure.rejection());
    }
  }

  /** The same node, if it is of that type. */
  <W> Typed<W> as(Class<W> wanted, String role) {
    if (type != wanted) {
      throw Refusals.invalid(
          position, name + " (" + typeName(type) + ")", typeName(wanted) + " " + role);
    }
    @SuppressWarnings("unchecked") // the token says so
    Typed<W> same = (Typed<W>) this;
    return same;
  }

  Code.Strict<BigDecimal> number(String role) {
    return as(BigDecimal.class, role).strict();
  }

  Code.Strict<String> text(String role) {
    return as(String.class, role).strict();
  }

  Code.Strict<Boolean> truth(String role) {
    return as(Boolean.class, role).strict();
  }

  /** The code, with a check if its value may be missing. */
  Code.Strict<T> strict() {
    return strict(code, name, position);
  }

  private static <T> Code.Strict<T> strict(Code<T> code, String name, int position) {
    if (code instanceof Code.Strict<T> strict) {
      return strict;
    }
    return values -> {
      T value = code.run(values);
      if (value == null) {
        throw Refusals.failed(
            position, name + " is null", "a value; an optional feature has a default as in x ?: 0");
      }
      return value;
    };
  }

  static String typeName(Class<?> type) {
    return type == BigDecimal.class ? "a number" : type == String.class ? "a string" : "a boolean";
  }
}
