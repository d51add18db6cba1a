package dev.laurel.spel;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntPredicate;

/** Operations on translated operands. Each operand's code is used once: cost follows the text. */
final class Operators {
  private Operators() {}

  static Typed<BigDecimal> arithmetic(
      String name, Arithmetic.Binary operation, Typed<?> left, Typed<?> right, int position) {
    Code.Strict<BigDecimal> a = left.number("left of " + name);
    Code.Strict<BigDecimal> b = right.number("right of " + name);
    Code.Strict<BigDecimal> code = v -> operation.apply(a.run(v), b.run(v), position);
    return Typed.result(BigDecimal.class, code, name, position, List.of(left, right));
  }

  static Typed<BigDecimal> negate(Typed<?> operand, int position) {
    Code.Strict<BigDecimal> a = operand.number("after -");
    Code.Strict<BigDecimal> code = v -> a.run(v).negate();
    return Typed.result(BigDecimal.class, code, "-", position, List.of(operand));
  }

  static Typed<String> concat(Typed<?> left, Typed<?> right, int position) {
    Code.Strict<String> a = left.text("left of +");
    Code.Strict<String> b = right.text("right of + after a string");
    Code.Strict<String> code = v -> Texts.concat(a.run(v), b.run(v), position);
    return Typed.result(String.class, code, "+", position, List.of(left, right));
  }

  static Typed<Boolean> comparison(
      String name, IntPredicate sign, Typed<?> left, Typed<?> right, int position) {
    Code.Strict<BigDecimal> a = left.number("left of " + name);
    Code.Strict<BigDecimal> b = right.number("right of " + name);
    Code.Strict<Boolean> code = v -> sign.test(a.run(v).compareTo(b.run(v)));
    return Typed.result(Boolean.class, code, name, position, List.of(left, right));
  }

  static Typed<Boolean> equality(
      String name, boolean wanted, Typed<?> left, Typed<?> right, int position) {
    Code<?> a = left.code();
    Code<?> b = right.as(left.type(), "right of " + name + ", as on its left").code();
    Code.Strict<Boolean> code = v -> Arithmetic.same(a.run(v), b.run(v)) == wanted;
    return Typed.result(Boolean.class, code, name, position, List.of(left, right));
  }

  /** Whether a feature was sent. */
  static Typed<Boolean> isNull(boolean wanted, Typed<?> operand, int position) {
    Code<?> a = operand.code();
    Code.Strict<Boolean> code = v -> (a.run(v) == null) == wanted;
    return Typed.result(Boolean.class, code, "null", position, List.of(operand));
  }

  /** Both ends included. */
  static Typed<Boolean> between(Typed<?> operand, Typed<?> low, Typed<?> high, int position) {
    Code.Strict<BigDecimal> x = operand.number("left of between");
    Code.Strict<BigDecimal> a = low.number("as the lower end of between");
    Code.Strict<BigDecimal> b = high.number("as the upper end of between");
    Code.Strict<Boolean> code =
        v -> {
          BigDecimal value = x.run(v);
          return value.compareTo(a.run(v)) >= 0 && value.compareTo(b.run(v)) <= 0;
        };
    return Typed.result(Boolean.class, code, "between", position, List.of(operand, low, high));
  }

  static Typed<Boolean> contains(List<Typed<?>> list, Typed<?> wanted, int position) {
    List<? extends Code<?>> codes =
        list.stream()
            .map(item -> item.as(wanted.type(), "in the list, as is looked for").code())
            .toList();
    Code<?> x = wanted.code();
    Code.Strict<Boolean> code =
        v -> {
          Object value = x.run(v);
          for (Code<?> item : codes) {
            if (Arithmetic.same(item.run(v), value)) {
              return true;
            }
          }
          return false;
        };
    return new Typed<>(Boolean.class, code, false, "contains", position);
  }

  static Typed<Boolean> and(Typed<?> left, Typed<?> right, int position) {
    Code.Strict<Boolean> a = left.truth("left of and");
    Code.Strict<Boolean> b = right.truth("right of and");
    Code.Strict<Boolean> code = v -> a.run(v) && b.run(v);
    return Typed.result(Boolean.class, code, "and", position, List.of(left, right));
  }

  static Typed<Boolean> or(Typed<?> left, Typed<?> right, int position) {
    Code.Strict<Boolean> a = left.truth("left of or");
    Code.Strict<Boolean> b = right.truth("right of or");
    Code.Strict<Boolean> code = v -> a.run(v) || b.run(v);
    return Typed.result(Boolean.class, code, "or", position, List.of(left, right));
  }

  static Typed<Boolean> not(Typed<?> operand, int position) {
    Code.Strict<Boolean> a = operand.truth("after not");
    Code.Strict<Boolean> code = v -> !a.run(v);
    return Typed.result(Boolean.class, code, "not", position, List.of(operand));
  }

  static <T> Typed<T> ternary(Typed<?> condition, Typed<T> yes, Typed<?> no, int position) {
    Code.Strict<Boolean> test = condition.truth("before ?");
    Code<T> a = yes.code();
    Code<T> b = no.as(yes.type(), "after :, as before it").code();
    Code<T> code;
    if (a instanceof Code.Strict<T> strictA && b instanceof Code.Strict<T> strictB) {
      code = (Code.Strict<T>) v -> test.run(v) ? strictA.run(v) : strictB.run(v);
    } else {
      code = v -> test.run(v) ? a.run(v) : b.run(v);
    }
    return Typed.result(yes.type(), code, "? :", position, List.of(condition, yes, no));
  }

  /** As in SpEL, the empty string counts as missing. */
  static <T> Typed<T> elvis(Typed<T> first, Typed<?> otherwise, int position) {
    Code<T> a = first.code();
    Code<T> b = otherwise.as(first.type(), "after ?:, as before it").code();
    Code<T> code;
    if (b instanceof Code.Strict<T> strictB) {
      code =
          (Code.Strict<T>)
              v -> {
                T value = a.run(v);
                return value == null || value.equals("") ? strictB.run(v) : value;
              };
    } else {
      code =
          v -> {
            T value = a.run(v);
            return value == null || value.equals("") ? b.run(v) : value;
          };
    }
    return Typed.result(first.type(), code, "?:", position, List.of(first, otherwise));
  }
}
