package dev.laurel.spel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.scoring.Features;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** What a tenant may try: all of it is refused when the board is configured, and does nothing. */
class AttacksTest {
  private static final String PROPERTY = "laurel.pwned";
  private static final Path FILE = Path.of("target/pwned");

  /** A quarter of what threads usually have: what passes here passes everywhere. */
  private static final long SMALL_STACK = 256 * 1024;

  static final Features FEATURES =
      Features.of(
          List.of(
              new Feature("amount", FeatureType.FLOAT, true),
              new Feature("count", FeatureType.INTEGER, true),
              new Feature("name", FeatureType.STRING, true),
              new Feature("vip", FeatureType.BOOLEAN, true),
              new Feature("bonus", FeatureType.FLOAT, false)));

  private final SpelExpressionCompiler compiler = new SpelExpressionCompiler();

  @AfterEach
  void nothingHappened() {
    assertThat(System.getProperty(PROPERTY)).isNull();
    assertThat(FILE).doesNotExist();
  }

  static List<String> attacks() {
    return Corpus.read("attacks.txt");
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void compile_attack_isRefused(String attack) {
    assertRefused(attack);
  }

  static List<String> largeAttacks() {
    List<String> attacks = new ArrayList<>();
    for (String part :
        List.of(
            "(",
            "((((1",
            "[",
            "{",
            "{{",
            "'",
            "\"",
            "!",
            "-",
            "- ",
            "not ",
            "+ ",
            "1+",
            "1 + 1 * ",
            "1?",
            "vip?1:",
            "bonus?:",
            "max(1,",
            "max(",
            "name.",
            "'a'.toUpperCase().",
            "name[",
            "T(",
            "new int[",
            "#",
            "#a.",
            "@",
            "2^",
            "9",
            "1e",
            "0.",
            "{1,",
            "{a:",
            "a",
            "?",
            "?.",
            "?[",
            "![",
            "..",
            "\0",
            "\n",
            " ",
            "\uD83D",
            "é",
            "'a'+",
            "1 between {1,",
            "(1)",
            "()")) {
      for (int length : new int[] {100, 900, 1000, 1001, 100_000}) {
        attacks.add(part.repeat(length / part.length() + 1).substring(0, length));
      }
    }
    attacks.add("(".repeat(500) + "1" + ")".repeat(499));
    attacks.add("(".repeat(51) + "1" + ")".repeat(51));
    attacks.add("max(1,".repeat(60) + "1" + ")".repeat(60));
    attacks.add("vip?1:".repeat(60) + "1");
    attacks.add("!".repeat(400) + "vip ? 1 : 0");
    attacks.add("1" + " +1".repeat(330));
    attacks.add("1" + "^1".repeat(400));
    attacks.add("name" + ".toUpperCase()".repeat(70));
    attacks.add("name" + "?.length()".repeat(90));
    attacks.add("'" + "x".repeat(1_000_000) + "'.length()");
    attacks.add("1".repeat(35) + ".0");
    attacks.add("(" + "'" + "x".repeat(200) + "' + '" + "x".repeat(200) + "').length()");
    attacks.add(" ".repeat(1000) + "1");
    return attacks;
  }

  @Test
  void compile_longAndDeepAttacks_areRefusedOnASmallStack() throws Exception {
    List<Throwable> failures = new ArrayList<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              for (String attack : largeAttacks()) {
                Throwable failure = catchThrowable(() -> assertRefused(attack));
                if (failure != null) {
                  failures.add(failure);
                }
              }
            },
            "small stack",
            SMALL_STACK);
    thread.start();
    thread.join();
    assertThat(failures).isEmpty();
  }

  @Test
  void compileAndEvaluate_theLargestThatAreAllowed_workOnASmallStack() throws Exception {
    List<String> large =
        List.of(
            "(".repeat(50) + "amount" + ")".repeat(50),
            "max(1,".repeat(50) + "amount" + ")".repeat(50),
            "vip?1:".repeat(50) + "amount",
            "bonus?:".repeat(50) + "amount",
            "amount" + "+1".repeat(198),
            "!".repeat(49) + "vip ? 1 : 0",
            "not ".repeat(190) + "vip ? 1 : 0",
            "- ".repeat(190) + "amount");
    List<Throwable> failures = new ArrayList<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              for (String text : large) {
                Throwable failure =
                    catchThrowable(
                        () -> compiler.compile(text, FEATURES).evaluate(FEATURES.sample(true)));
                if (failure != null) {
                  failures.add(new AssertionError(text, failure));
                }
              }
            },
            "small stack",
            SMALL_STACK);
    thread.start();
    thread.join();
    assertThat(failures).isEmpty();
  }

  @Test
  void attacks_corpus_isLargeAndHasNoDoubles() {
    assertThat(attacks()).hasSizeGreaterThan(80).doesNotHaveDuplicates();
  }

  /** The teeth of this test: with SpEL's own evaluator the same text does change the process. */
  @Test
  void plainSpel_ofAnAttack_hasItsEffect() throws Exception {
    String change = "T(java.lang.System).setProperty('laurel.pwned', '1')";
    String write = "new java.io.File('target/pwned').createNewFile()";
    assertThat(attacks()).contains(change, write);
    SpelExpressionParser parser = new SpelExpressionParser();

    parser.parseRaw(change).getValue(new StandardEvaluationContext());
    parser.parseRaw(write).getValue(new StandardEvaluationContext());

    assertThat(System.clearProperty(PROPERTY)).isEqualTo("1");
    assertThat(Files.deleteIfExists(FILE)).isTrue();
  }

  @Test
  void compile_inALocaleOfOtherLetters_isTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      compiler.compile("count div 2", FEATURES);
      assertRefused("name MATCHES 'i' ? 1 : 0");
      assertThatThrownBy(() -> Features.of(List.of(new Feature("DIV", FeatureType.FLOAT, true))))
          .isInstanceOf(RejectedException.class);
    } finally {
      Locale.setDefault(before);
    }
  }

  private void assertRefused(String attack) {
    String shown = attack.length() > 60 ? attack.substring(0, 60) + "…" : attack;
    assertThatThrownBy(() -> compiler.compile(attack, FEATURES))
        .as(shown)
        .isInstanceOfSatisfying(
            RejectedException.class,
            refused -> {
              assertThat(refused.rejection().code()).isEqualTo(ErrorCode.EXPRESSION_INVALID);
              assertThat(refused.rejection().message())
                  .startsWith("expression at character ")
                  .contains("(expected: ")
                  .hasSizeLessThan(400);
              assertThat((Integer) refused.rejection().details().get("position"))
                  .isBetween(1, SourceGuard.MAX_LENGTH + 1);
            });
  }
}
