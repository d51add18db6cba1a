package dev.laurel.core.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  private static final Map<String, @Nullable Object> EVENT =
      Map.of(
          "user", Map.of("id", "u1", "name", "Ann"),
          "a.b", "dotted",
          "a", Map.of("b", "nested"),
          "items", List.of(Map.of("score", BigDecimal.ONE), Map.of("score", BigDecimal.TWO)),
          "grid", List.of(List.of("x", "y")));

  @Test
  void find_namesAndIndexes_isTheValue() {
    assertThat(find("user.id")).isEqualTo("u1");
    assertThat(find("items[1].score")).isEqualTo(BigDecimal.TWO);
    assertThat(find("grid[0][1]")).isEqualTo("y");
    assertThat(find("user")).isEqualTo(Map.of("id", "u1", "name", "Ann"));
  }

  @Test
  void find_wholeNameWithDots_comesFirst() {
    assertThat(find("a.b")).isEqualTo("dotted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody",
        "user.nobody",
        "user.id.more",
        "items[2].score",
        "user[0]",
        "items.score"
      })
  void find_nothingThere_isNull(String path) {
    assertThat(find(path)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        " ",
        "a[",
        "a]",
        "a[]",
        "a[-1]",
        "a[x]",
        "a[0",
        "a[0]b",
        "[0]",
        "a.[0]",
        "a[1234567]",
        "a[0]]",
        "a[\u0661]"
      })
  void parse_notAPath_isNull(String text) {
    assertThat(FieldPath.parse(text)).isNull();
  }

  @Test
  void parse_lengths_areBounded() {
    assertThat(FieldPath.parse("x".repeat(256))).isNotNull();
    assertThat(FieldPath.parse("\uD83C\uDFC6".repeat(256))).isNotNull();
    assertThat(FieldPath.parse("x".repeat(257))).isNull();
  }

  @Test
  void removeFrom_leaves_keepTheRestAndTheirPlaces() {
    assertThat(without("user.id").get("user")).isEqualTo(Map.of("name", "Ann"));
    assertThat(without("items[0].score").get("items"))
        .isEqualTo(Arrays.asList(null, Map.of("score", BigDecimal.TWO)));
    assertThat(without("a.b")).doesNotContainKey("a.b").containsKey("a");
    assertThat(without("nobody.there")).isEqualTo(EVENT);
  }

  @Test
  void removeFrom_lastField_takesTheObjectWithIt() {
    Map<String, @Nullable Object> event = Map.of("user", Map.of("id", "u1"), "b", "c");
    assertThat(without("user.id", event)).isEqualTo(Map.of("b", "c"));
    assertThat(without("user.id", Map.of("user", Map.of("id", "u1")))).isEmpty();
  }

  /** Whatever the tree: what was taken away is not there, and the rest is as it was. */
  @Test
  void removeFrom_randomTrees_removesExactlyTheValue() {
    Seeds.withSeed(
        random -> {
          for (int round = 0; round < 500; round++) {
            removeEach(random);
          }
        });
  }

  private static void removeEach(Random random) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    List<String> leaves = new ArrayList<>();
    grow(random, tree, "", 0, leaves);
    for (String leaf : leaves) {
      Map<String, @Nullable Object> rest = without(leaf, tree);
      for (String other : leaves) {
        Object expected = other.equals(leaf) ? null : path(other).find(tree);
        assertThat(path(other).find(rest)).as(other + " without " + leaf).isEqualTo(expected);
      }
    }
  }

  private static void grow(
      Random random,
      Map<String, @Nullable Object> map,
      String prefix,
      int depth,
      List<String> leaves) {
    int fields = 1 + random.nextInt(3);
    for (int i = 0; i < fields; i++) {
      String name = "f" + i;
      String path = prefix + name;
      switch (depth == 3 ? 0 : random.nextInt(3)) {
        case 1 -> {
          Map<String, @Nullable Object> child = new LinkedHashMap<>();
          grow(random, child, path + ".", depth + 1, leaves);
          map.put(name, child);
        }
        case 2 -> {
          List<@Nullable Object> list = new ArrayList<>();
          for (int j = 0; j <= random.nextInt(3); j++) {
            Map<String, @Nullable Object> child = new LinkedHashMap<>();
            grow(random, child, path + "[" + j + "].", depth + 1, leaves);
            list.add(child);
          }
          map.put(name, list);
        }
        default -> {
          map.put(name, "leaf " + path);
          leaves.add(path);
        }
      }
    }
  }

  private static FieldPath path(String text) {
    FieldPath path = FieldPath.parse(text);
    if (path == null) {
      throw new AssertionError(text + " is no path");
    }
    return path;
  }

  private static @Nullable Object find(String text) {
    return path(text).find(EVENT);
  }

  private static Map<String, @Nullable Object> without(String text) {
    return without(text, EVENT);
  }

  private static Map<String, @Nullable Object> without(
      String text, Map<String, @Nullable Object> event) {
    Map<String, @Nullable Object> rest = new LinkedHashMap<>(event);
    path(text).removeFrom(rest);
    return rest;
  }
}
