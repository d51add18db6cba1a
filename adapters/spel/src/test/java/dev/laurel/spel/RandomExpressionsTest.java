package dev.laurel.spel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.scoring.CompiledExpression;
import dev.laurel.core.scoring.Evaluation;
import dev.laurel.core.scoring.FeatureValues;
import dev.laurel.core.scoring.Features;
import dev.laurel.testkit.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Seeds.class)
class RandomExpressionsTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "t", "_x1");
  private static final Features FEATURES =
      Features.of(NAMES.stream().map(name -> new Feature(name, FeatureType.FLOAT, true)).toList());

  /** What garbage is made of: the pieces of SpEL, and some that are none. */
  private static final List<String> PIECES =
      List.of(
          ("""
           a b #a # amount name vip bonus 1 0 2.5 1e5 1e 0x1 10L 'x' ' " + - ++ -- * / % ^ == != < \
           >= = ! not and or && || ? : ?: ?. . , ( ) [ ] { } ?[ ![ ^[ $[ T( new @ & matches \
           between instanceof null true min( max( round( length() .length() .contains( String \
           int[] #this #root \\ ; $ é 😀 \0 \t \n"""
                  + " \uD83D \u202E  ")
              .split(" ", -1));

  private final SpelExpressionCompiler compiler = new SpelExpressionCompiler();

  @Test
  void evaluate_randomTrees_equalTheOracle(Random random) {
    int values = 0;
    for (int i = 0; i < 20_000; i++) {
      RandomTree tree = RandomTree.numeric(random, NAMES, random.nextInt(5));
      String text = tree.text(random);
      CompiledExpression compiled = compileOrExplain(tree, text);
      if (compiled == null) {
        continue;
      }
      for (int j = 0; j < 3; j++) {
        Map<String, BigDecimal> event = event(random);
        Object expected = tree.value(event);
        Evaluation actual = compiled.evaluate((FeatureValues) FEATURES.check(event));
        switch (actual) {
          case Evaluation.Value(BigDecimal number) -> {
            assertThat(expected).as("%s for %s", text, event).isNotNull();
            assertThat(number)
                .as("%s for %s", text, event)
                .isEqualByComparingTo((BigDecimal) expected);
            values++;
          }
          case Evaluation.Failed failed ->
              assertThat(expected).as("%s for %s: %s", text, event, failed).isNull();
        }
        CompiledExpression again = compiler.compile(text, FEATURES);
        assertThat(again.evaluate((FeatureValues) FEATURES.check(event))).isEqualTo(actual);
      }
    }
    assertThat(values).as("trees that have a value").isGreaterThan(20_000);
  }

  private @Nullable CompiledExpression compileOrExplain(RandomTree tree, String text) {
    try {
      return compiler.compile(text, FEATURES);
    } catch (RejectedException refused) {
      boolean tooLarge =
          text.length() > SourceGuard.MAX_LENGTH
              || refused.rejection().message().contains("nested too deeply");
      assertThat(tooLarge || tree.hasFailingConstant()).as("%s: %s", text, refused).isTrue();
      return null;
    }
  }

  private static Map<String, BigDecimal> event(Random random) {
    Map<String, BigDecimal> event = new HashMap<>();
    for (String name : NAMES) {
      BigInteger digits = new BigInteger(random.nextInt(1, 60), random);
      event.put(
          name,
          new BigDecimal(random.nextBoolean() ? digits : digits.negate(), random.nextInt(-2, 12)));
    }
    return event;
  }

  @Test
  void compile_garbage_isRefusedOrWorks(Random random) {
    Features features = AttacksTest.FEATURES;
    int valid = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        text.append(
            random.nextInt(20) == 0
                ? String.valueOf((char) random.nextInt(0x300))
                : PIECES.get(random.nextInt(PIECES.size())));
      }
      try {
        // Both outcomes of an evaluation are well; an exception is not.
        CompiledExpression compiled = compiler.compile(text.toString(), features);
        compiled.evaluate(features.sample(true));
        compiled.evaluate(features.sample(false));
        valid++;
      } catch (RejectedException refused) {
        assertThat(refused.rejection().code()).isEqualTo(ErrorCode.EXPRESSION_INVALID);
      } catch (RuntimeException | StackOverflowError e) {
        fail("text: " + text, e);
      }
    }
    assertThat(valid).as("texts that were valid by chance").isPositive();
  }

  @Test
  void compile_namesThatFeaturesMayHave_areReadAsFeatures(Random random) {
    String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int n = random.nextInt(i % 2 == 0 ? 3 : 12); n >= 0; n--) {
        name.append(letters.charAt(random.nextInt(name.isEmpty() ? 53 : letters.length())));
      }
      assertThatNameIsAFeatureOrRefused(name.toString());
    }
    for (String name :
        ("min max round length contains t T div Mod NULL new and Or not eq between matches"
                + " instanceof true this root")
            .split(" ")) {
      assertThatNameIsAFeatureOrRefused(name);
    }
  }

  private void assertThatNameIsAFeatureOrRefused(String name) {
    Features features;
    try {
      features = Features.of(List.of(new Feature(name, FeatureType.INTEGER, true)));
    } catch (RejectedException aWordOfTheLanguage) {
      return;
    }
    String text = name + " * 2 + #" + name + " - (" + name + ")";
    assertThat(compiler.compile(text, features).evaluate(features.sample(true)))
        .as(name)
        .isEqualTo(new Evaluation.Value(BigDecimal.valueOf(20)));
  }
}
