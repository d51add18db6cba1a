package dev.laurel.spel;

import dev.laurel.core.model.Feature;
import dev.laurel.core.scoring.Features;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * The allow-list: from Spring's tree to our own code, with the types checked on the way. Only the
 * shape of the tree is read (children, names, the text of literals), never a node's value. A class
 * of node that has no case here is refused by its name.
 */
final class Translator {
  /** Of the tree; a sum of n terms is n deep. It bounds the stack of the walk and of each run. */
  static final int MAX_DEPTH = 200;

  private static final String LANGUAGE =
      "numbers, strings, booleans, declared features, and the operators and functions of"
          + " docs/scoring.md";

  private final String text;
  private final Features features;
  private int depth;

  Translator(String text, Features features) {
    this.text = text;
    this.features = features;
  }

  Typed<?> translate(SpelNode node) {
    if (++depth > MAX_DEPTH) {
      throw Refusals.invalid(
          node.getStartPosition(), "a deeper tree", "at most " + MAX_DEPTH + " operations deep");
    }
    Typed<?> typed = allowed(node);
    depth--;
    return typed;
  }

  private Typed<?> allowed(SpelNode node) {
    int at = node.getStartPosition();
    return switch (node) {
      case Literal literal -> Literals.translate(literal, text);
      case PropertyOrFieldReference property -> feature(property.getName(), at);
      // Its name is not to be had otherwise: "#name".
      case VariableReference variable -> feature(variable.toStringAST().substring(1), at);
      case OpPlus plus -> plus(plus, at);
      case OpMinus minus when minus.getChildCount() == 1 -> Operators.negate(child(minus, 0), at);
      case OpMinus minus -> arithmetic("-", Arithmetic::subtract, minus);
      case OpMultiply times -> arithmetic("*", Arithmetic::multiply, times);
      case OpDivide by -> arithmetic("/", Arithmetic::divide, by);
      case OpModulus by -> arithmetic("%", Arithmetic::remainder, by);
      case OperatorPower power -> arithmetic("^", Arithmetic::power, power);
      case OpLT op -> Operators.comparison("<", s -> s < 0, child(op, 0), child(op, 1), at);
      case OpLE op -> Operators.comparison("<=", s -> s <= 0, child(op, 0), child(op, 1), at);
      case OpGT op -> Operators.comparison(">", s -> s > 0, child(op, 0), child(op, 1), at);
      case OpGE op -> Operators.comparison(">=", s -> s >= 0, child(op, 0), child(op, 1), at);
      case OpEQ op -> equality("==", true, op);
      case OpNE op -> equality("!=", false, op);
      case OperatorBetween op -> between(op, at);
      case OpAnd op -> Operators.and(child(op, 0), child(op, 1), at);
      case OpOr op -> Operators.or(child(op, 0), child(op, 1), at);
      case OperatorNot op -> Operators.not(child(op, 0), at);
      case Ternary op -> Operators.ternary(child(op, 0), child(op, 1), child(op, 2), at);
      case Elvis op -> Operators.elvis(child(op, 0), child(op, 1), at);
      case MethodReference function -> Functions.call(function.getName(), children(function), at);
      case CompoundExpression chain -> methods(chain);
      case InlineList list ->
          throw Refusals.invalid(at, "a list", "a list after between or before .contains()");
      default -> throw Refusals.invalid(at, node.getClass().getSimpleName(), LANGUAGE);
    };
  }

  private Typed<?> child(SpelNode node, int index) {
    return translate(node.getChild(index));
  }

  private List<Typed<?>> children(SpelNode node) {
    List<Typed<?>> children = new ArrayList<>();
    for (int i = 0; i < node.getChildCount(); i++) {
      children.add(child(node, i));
    }
    return children;
  }

  private Typed<?> arithmetic(String name, Arithmetic.Binary operation, SpelNode node) {
    return Operators.arithmetic(
        name, operation, child(node, 0), child(node, 1), node.getStartPosition());
  }

  private Typed<?> plus(SpelNode node, int position) {
    Typed<?> left = child(node, 0);
    if (node.getChildCount() == 1) {
      return left.as(BigDecimal.class, "after +");
    }
    Typed<?> right = child(node, 1);
    return left.type() == String.class
        ? Operators.concat(left, right, position)
        : Operators.arithmetic("+", Arithmetic::add, left, right, position);
  }

  private Typed<?> equality(String name, boolean wanted, SpelNode node) {
    int position = node.getStartPosition();
    if (node.getChild(1) instanceof NullLiteral) {
      return Operators.isNull(wanted, child(node, 0), position);
    }
    if (node.getChild(0) instanceof NullLiteral) {
      return Operators.isNull(wanted, child(node, 1), position);
    }
    return Operators.equality(name, wanted, child(node, 0), child(node, 1), position);
  }

  private Typed<?> between(SpelNode node, int position) {
    if (node.getChild(1) instanceof InlineList ends && ends.getChildCount() == 2) {
      return Operators.between(child(node, 0), child(ends, 0), child(ends, 1), position);
    }
    throw Refusals.invalid(position, "between", "between {low, high}");
  }

  /** {@code text.method(…).method(…)}, and {@code {…}.contains(x)}. */
  private Typed<?> methods(CompoundExpression chain) {
    int next = 1;
    Typed<?> target;
    if (chain.getChild(0) instanceof InlineList list) {
      MethodReference method = method(chain.getChild(next++));
      if (!method.getName().equals("contains")
          || method.getChildCount() != 1
          || list.getChildCount() == 0) {
        throw Refusals.invalid(
            method.getStartPosition(), "." + method.getName() + "()", "{…}.contains(x)");
      }
      target = Operators.contains(children(list), child(method, 0), method.getStartPosition());
    } else {
      target = child(chain, 0);
    }
    for (; next < chain.getChildCount(); next++) {
      MethodReference method = method(chain.getChild(next));
      target = Texts.call(target, method.getName(), children(method), method.getStartPosition());
    }
    return target;
  }

  private static MethodReference method(SpelNode node) {
    if (node instanceof MethodReference method && !method.isNullSafe()) {
      return method;
    }
    throw Refusals.invalid(
        node.getStartPosition(), node.getClass().getSimpleName(), "a method of a string");
  }

  private Typed<?> feature(String name, int position) {
    int index = features.indexOf(name);
    if (index < 0) {
      throw Refusals.invalid(position, name, "a declared feature");
    }
    Feature feature = features.get(index);
    return switch (feature.type()) {
      case INTEGER, FLOAT ->
          read(BigDecimal.class, values -> values.number(index), feature, position);
      case STRING -> read(String.class, values -> values.text(index), feature, position);
      case BOOLEAN -> read(Boolean.class, values -> values.truth(index), feature, position);
    };
  }

  private static <T> Typed<T> read(Class<T> type, Code<T> code, Feature feature, int position) {
    return new Typed<>(type, code, false, feature.name(), position);
  }
}
