package dev.laurel.spel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random expression that knows its text and, by its own arithmetic, its value. Null is the value
 * of one that fails.
 */
record RandomTree(String operation, List<RandomTree> children, String leaf) {
  private static final BigDecimal LIMIT = new BigDecimal("1e34");
  private static final List<String> NUMERIC =
      List.of("+", "-", "*", "/", "%", "^", "neg", "min", "max", "abs", "floor", "?:3", "elvis");
  private static final List<String> LOGICAL =
      List.of("<", "<=", ">", ">=", "==", "!=", "and", "or", "not", "between");

  /** How tightly an operation binds; brackets are written only where they are needed. */
  private static final Map<String, Integer> LEVELS =
      Map.ofEntries(
          Map.entry("?:3", 0),
          Map.entry("elvis", 0),
          Map.entry("or", 1),
          Map.entry("and", 2),
          Map.entry("<", 3),
          Map.entry("<=", 3),
          Map.entry(">", 3),
          Map.entry(">=", 3),
          Map.entry("==", 3),
          Map.entry("!=", 3),
          Map.entry("between", 3),
          Map.entry("+", 4),
          Map.entry("-", 4),
          Map.entry("*", 5),
          Map.entry("/", 5),
          Map.entry("%", 5),
          Map.entry("^", 6),
          Map.entry("neg", 7),
          Map.entry("not", 7));

  static RandomTree numeric(Random random, List<String> features, int depth) {
    if (depth == 0 || random.nextInt(8) == 0) {
      return leaf(random, features);
    }
    String operation = NUMERIC.get(random.nextInt(NUMERIC.size()));
    RandomTree first = numeric(random, features, depth - 1);
    return switch (operation) {
      case "neg", "abs", "floor" -> new RandomTree(operation, List.of(first), "");
      case "?:3" ->
          new RandomTree(
              operation,
              List.of(
                  logical(random, features, depth - 1),
                  first,
                  numeric(random, features, depth - 1)),
              "");
      case "^" ->
          new RandomTree(
              operation, List.of(first, new RandomTree("", List.of(), "" + random.nextInt(5))), "");
      default ->
          new RandomTree(operation, List.of(first, numeric(random, features, depth - 1)), "");
    };
  }

  private static RandomTree logical(Random random, List<String> features, int depth) {
    String operation = LOGICAL.get(random.nextInt(depth > 0 ? LOGICAL.size() : 6));
    int below = Math.max(0, depth - 1);
    return switch (operation) {
      case "and", "or" ->
          new RandomTree(
              operation,
              List.of(logical(random, features, below), logical(random, features, below)),
              "");
      case "not" -> new RandomTree(operation, List.of(logical(random, features, below)), "");
      case "between" ->
          new RandomTree(
              operation,
              List.of(
                  numeric(random, features, below),
                  numeric(random, features, below),
                  numeric(random, features, below)),
              "");
      default ->
          new RandomTree(
              operation,
              List.of(numeric(random, features, below), numeric(random, features, below)),
              "");
    };
  }

  private static RandomTree leaf(Random random, List<String> features) {
    if (random.nextInt(3) > 0) {
      return new RandomTree("", List.of(), features.get(random.nextInt(features.size())));
    }
    BigDecimal number =
        new BigDecimal(new BigInteger(random.nextInt(1, 31), random), random.nextInt(6));
    return new RandomTree("", List.of(), number.toPlainString());
  }

  boolean isConstant() {
    return children.isEmpty()
        ? Character.isDigit(leaf.charAt(0))
        : children.stream().allMatch(RandomTree::isConstant);
  }

  /** A part that fails whatever the event is. */
  boolean hasFailingConstant() {
    return (isConstant() && value(Map.of()) == null)
        || children.stream().anyMatch(RandomTree::hasFailingConstant);
  }

  String text(Random random) {
    return text(random, 0);
  }

  private String text(Random random, int outer) {
    if (children.isEmpty()) {
      boolean variable = !isConstant() && random.nextBoolean();
      return variable ? "#" + leaf : leaf;
    }
    int level = LEVELS.getOrDefault(operation, 8);
    String s = " ".repeat(random.nextInt(2));
    String text =
        switch (operation) {
          case "neg" -> "- " + at(0, random, level);
          case "not" -> "not " + at(0, random, level);
          case "and", "or" ->
              at(0, random, level) + " " + operation + " " + at(1, random, level + 1);
          case "between" ->
              at(0, random, level + 1)
                  + " between {"
                  + at(1, random, 0)
                  + ","
                  + s
                  + at(2, random, 0)
                  + "}";
          case "?:3" ->
              at(0, random, 1) + s + "?" + s + at(1, random, 0) + s + ":" + s + at(2, random, 0);
          case "elvis" -> at(0, random, 1) + s + "?:" + s + at(1, random, 0);
          case "min", "max" ->
              operation + "(" + at(0, random, 0) + s + "," + at(1, random, 0) + ")";
          case "abs", "floor" -> operation + "(" + s + at(0, random, 0) + ")";
          case "^" -> at(0, random, 7) + s + "^" + s + at(1, random, 7);
          case "+", "-" -> at(0, random, level) + " " + operation + " " + at(1, random, level + 1);
          // Comparisons do not chain.
          case "<", "<=", ">", ">=", "==", "!=" ->
              at(0, random, level + 1) + s + operation + s + at(1, random, level + 1);
          default -> at(0, random, level) + s + operation + s + at(1, random, level + 1);
        };
    return level < outer || random.nextInt(10) == 0 ? "(" + text + ")" : text;
  }

  private String at(int index, Random random, int outer) {
    return children.get(index).text(random, outer);
  }

  /** A BigDecimal, a Boolean, or null if it fails. */
  @Nullable Object value(Map<String, BigDecimal> event) {
    if (children.isEmpty()) {
      BigDecimal feature = event.get(leaf);
      return feature != null ? feature : new BigDecimal(leaf);
    }
    Object first = children.getFirst().value(event);
    if (first == null) {
      return null;
    }
    switch (operation) {
      case "?:3" -> {
        return children.get((Boolean) first ? 1 : 2).value(event);
      }
      case "elvis" -> {
        return first;
      }
      case "and", "or" -> {
        return (Boolean) first == operation.equals("or") ? first : children.get(1).value(event);
      }
      case "not" -> {
        return !(Boolean) first;
      }
      default -> {}
    }
    BigDecimal a = (BigDecimal) first;
    if (operation.equals("between")) {
      BigDecimal low = (BigDecimal) children.get(1).value(event);
      if (low == null || a.compareTo(low) < 0) {
        return low == null ? null : false;
      }
      BigDecimal high = (BigDecimal) children.get(2).value(event);
      return high == null ? null : a.compareTo(high) <= 0;
    }
    if (children.size() == 1) {
      return switch (operation) {
        case "neg" -> a.negate();
        case "abs" -> a.abs();
        default -> a.setScale(0, RoundingMode.FLOOR);
      };
    }
    BigDecimal b = (BigDecimal) children.get(1).value(event);
    return b == null ? null : binary(a, b);
  }

  private @Nullable Object binary(BigDecimal a, BigDecimal b) {
    boolean byZero = b.signum() == 0;
    return switch (operation) {
      case "+" -> kept(a.add(b));
      case "-" -> kept(a.subtract(b));
      case "*" -> kept(a.multiply(b));
      case "/" -> byZero ? null : kept(a.divide(b, new MathContext(34, RoundingMode.HALF_UP)));
      case "%" -> byZero ? null : kept(a.remainder(b));
      case "^" -> kept(a.pow(b.intValueExact()));
      case "min" -> a.min(b);
      case "max" -> a.max(b);
      case "<" -> a.compareTo(b) < 0;
      case "<=" -> a.compareTo(b) <= 0;
      case ">" -> a.compareTo(b) > 0;
      case ">=" -> a.compareTo(b) >= 0;
      case "==" -> a.compareTo(b) == 0;
      case "!=" -> a.compareTo(b) != 0;
      default -> throw new AssertionError(operation);
    };
  }

  /** The nearest number that has no more than 34 digits and 34 decimals, tried one by one. */
  private static @Nullable BigDecimal kept(BigDecimal exact) {
    for (int decimals = 34; decimals >= 0; decimals--) {
      BigDecimal rounded = exact.setScale(decimals, RoundingMode.HALF_UP);
      // A carry such as 9.99 to 10.0 has one digit more, and it is a zero.
      if (exact.abs().compareTo(BigDecimal.TEN.pow(34 - decimals)) < 0) {
        return rounded.abs().compareTo(LIMIT) < 0 ? rounded : null;
      }
    }
    return null;
  }
}
