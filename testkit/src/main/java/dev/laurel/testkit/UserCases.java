package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Users get numbers from 1 without gaps, one each. */
interface UserCases extends StoreCases {
  @Test
  default void assignUsers_newIds_getTheNextNumbersInOrder() {
    assertThat(store().assignUsers(1, KnownUsers.NOBODY, List.of("b", "a"))).containsExactly(1, 2);
    assertThat(store().assignUsers(1, known(2), List.of("d", "c"))).containsExactly(3, 4);
    assertThat(store().assignUsers(1, known(4), List.of())).isEmpty();
    assertThat(users(1, 0)).containsExactly("1 b", "2 a", "3 d", "4 c");
    assertThat(users(1, 2)).containsExactly("3 d", "4 c");
    assertThat(users(1, 4)).isEmpty();
  }

  @Test
  default void assignUsers_idsAboveWhatTheCallerKnew_keepTheirNumbers() {
    store().assignUsers(1, KnownUsers.NOBODY, List.of("a", "b", "c"));
    assertThat(store().assignUsers(1, KnownUsers.NOBODY, List.of("d", "b", "a")))
        .containsExactly(4, 2, 1);
    assertThat(store().assignUsers(1, known(2), List.of("c", "e", "d"))).containsExactly(3, 5, 4);
    assertThat(users(1, 0)).hasSize(5);
  }

  @Test
  default void assignUsers_sameIdTwiceInOneCall_getsOneNumber() {
    assertThat(store().assignUsers(1, KnownUsers.NOBODY, List.of("a", "b", "a")))
        .containsExactly(1, 2, 1);
    assertThat(users(1, 0)).hasSize(2);
  }

  @Test
  default void assignUsers_anotherTenant_hasItsOwnNumbers() {
    store().assignUsers(1, KnownUsers.NOBODY, List.of("a", "b"));
    long tenant = store().write(tx -> tx.createTenant("acme", "Acme", 1)).id();
    assertThat(store().assignUsers(tenant, KnownUsers.NOBODY, List.of("b"))).containsExactly(1);
    assertThat(users(tenant, 0)).containsExactly("1 b");
  }

  @Test
  default void assignUsers_impossibleArguments_areRefused() {
    assertThatThrownBy(() -> store().assignUsers(99, KnownUsers.NOBODY, List.of("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("tenant: 99");
    assertThatThrownBy(() -> store().assignUsers(1, known(1), List.of("a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("known: 1");
    assertThat(users(1, 0)).isEmpty();
  }

  /** Equal is what has the same bytes, and nothing else. */
  @Test
  default void assignUsers_idsThatLookAlike_areDifferentUsers() {
    List<String> ids =
        List.of(
            "\u00e9", // composed
            "e\u0301", // decomposed
            "E\u0301",
            "ann",
            "Ann",
            "ann ",
            "\uFF21", // full-width A: above U+E000, below every surrogate pair in UTF-8
            "\uD83C\uDFC6",
            "\uE000",
            "%",
            "'; --",
            "\u0131",
            "i");
    int[] numbers = store().assignUsers(1, KnownUsers.NOBODY, ids);
    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, ids.size()).toArray());
    assertThat(store().assignUsers(1, KnownUsers.NOBODY, ids)).isEqualTo(numbers);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      expected.add(numbers[i] + " " + ids.get(i));
    }
    assertThat(users(1, 0)).isEqualTo(expected);
  }

  @Test
  default void assignUsers_manyThreads_oneNumberEachWithoutGaps() throws Exception {
    int threads = 4;
    int ids = 200;
    List<Future<Map<String, Integer>>> results = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        int start = t * 50;
        results.add(executor.submit(() -> assignInPieces(start, ids)));
      }
    }
    Map<String, Integer> merged = new HashMap<>();
    for (Future<Map<String, Integer>> result : results) {
      result
          .get()
          .forEach(
              (id, number) -> {
                Integer other = merged.putIfAbsent(id, number);
                assertThat(other == null || other.equals(number)).as(id).isTrue();
              });
    }
    assertThat(merged.values())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, merged.size()).boxed().toList());
    assertThat(users(1, 0)).hasSize(merged.size());
  }

  private Map<String, Integer> assignInPieces(int start, int ids) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = start; i < start + ids; i += 20) {
      List<String> piece = IntStream.range(i, i + 20).mapToObj(n -> "user-" + n).toList();
      int[] assigned = store().assignUsers(1, KnownUsers.NOBODY, piece);
      for (int k = 0; k < assigned.length; k++) {
        numbers.put(piece.get(k), assigned[k]);
      }
    }
    return numbers;
  }

  private List<String> users(long tenant, int after) {
    List<String> users = new ArrayList<>();
    store()
        .read(
            tx -> {
              tx.users(tenant, after, (number, id) -> users.add(number + " " + id));
              return true;
            });
    return users;
  }
}
