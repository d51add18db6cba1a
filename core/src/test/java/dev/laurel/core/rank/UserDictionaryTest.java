package dev.laurel.core.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class UserDictionaryTest {
  @Test
  void find_manyIds_agreesWithAMap() {
    Seeds.withSeed(
        random -> {
          Map<String, Integer> oracle = new HashMap<>();
          UserDictionary dictionary = new UserDictionary();
          for (String id : RandomIds.distinct(20_000, random)) {
            dictionary.append(dictionary.size() + 1, id);
            oracle.put(id, dictionary.size());
          }
          assertThat(dictionary.size()).isEqualTo(oracle.size());
          oracle.forEach(
              (id, number) -> {
                assertThat(dictionary.find(id)).as(id).isEqualTo(number);
                assertThat(dictionary.id(number)).isEqualTo(id);
                byte[] utf8 = utf8(id);
                byte[] within = new byte[utf8.length + 5];
                System.arraycopy(utf8, 0, within, 3, utf8.length);
                assertThat(dictionary.find(within, 3, utf8.length)).isEqualTo(number);
              });
          for (int i = 0; i < 20_000; i++) {
            String id = RandomIds.next(random);
            assertThat(dictionary.find(id)).as(id).isEqualTo(oracle.getOrDefault(id, 0));
          }
        });
  }

  /** Erased users get other ids, and their old ones are used again: against a map. */
  @Test
  void rename_manyUsers_agreesWithAMap() {
    Seeds.withSeed(
        random -> {
          UserDictionary dictionary = new UserDictionary();
          Map<String, Integer> oracle = new HashMap<>();
          List<String> ids = RandomIds.distinct(3_000, random);
          for (int n = 1; n <= 2_000; n++) {
            dictionary.append(n, ids.get(n - 1));
            oracle.put(ids.get(n - 1), n);
          }
          for (int i = 0; i < 3_000; i++) {
            int user = 1 + random.nextInt(dictionary.size());
            String old = dictionary.id(user);
            String next = "erased-" + i;
            dictionary.rename(user, next);
            oracle.remove(old);
            oracle.put(next, user);
            assertThat(dictionary.find(old)).isZero();
            if (random.nextInt(3) == 0) {
              dictionary.append(dictionary.size() + 1, old);
              oracle.put(old, dictionary.size());
            }
          }
          oracle.forEach(
              (id, number) -> {
                assertThat(dictionary.find(id)).as(id).isEqualTo(number);
                assertThat(dictionary.id(number)).isEqualTo(id);
              });
          assertThat(oracle).hasSize(dictionary.size());
        });
  }

  /** The store is right: somebody erased the first one, and this node hears of it later. */
  @Test
  void append_idThatAnotherHad_isTheNewOnes() {
    UserDictionary dictionary = new UserDictionary();
    dictionary.append(1, "ann");
    dictionary.append(2, "ann");
    assertThat(dictionary.find("ann")).isEqualTo(2);
    dictionary.rename(1, "erased-1");
    assertThat(dictionary.find("erased-1")).isEqualTo(1);
    assertThat(dictionary.id(1)).isEqualTo("erased-1");
  }

  @Test
  void find_manyAtOnce_findsWhatOneByOneFinds() {
    Seeds.withSeed(
        random -> {
          UserDictionary dictionary = RandomIds.dictionary(RandomIds.distinct(5_000, random));
          for (int count : new int[] {0, 1, 63, 64, 65, 1000}) {
            String[] ids = new String[count];
            for (int i = 0; i < count; i++) {
              ids[i] =
                  switch (random.nextInt(8)) {
                    case 0 -> "";
                    case 1, 2 -> RandomIds.next(random);
                    default -> dictionary.id(1 + random.nextInt(5_000));
                  };
            }
            int[] numbers = new int[count];
            dictionary.find(ids, count, numbers);
            for (int i = 0; i < count; i++) {
              assertThat(numbers[i]).as(ids[i]).isEqualTo(dictionary.find(ids[i]));
            }
          }
        });
  }

  @Test
  void compare_manyIds_isUnsignedByteOrder() {
    Seeds.withSeed(
        random -> {
          List<String> ids = RandomIds.distinct(5_000, random);
          UserDictionary dictionary = RandomIds.dictionary(ids);
          for (int i = 0; i < 100_000; i++) {
            int a = 1 + random.nextInt(ids.size());
            int b = 1 + random.nextInt(ids.size());
            int expected = Arrays.compareUnsigned(utf8(ids.get(a - 1)), utf8(ids.get(b - 1)));
            assertThat(Integer.signum(dictionary.compare(a, b)))
                .as("%s, %s", ids.get(a - 1), ids.get(b - 1))
                .isEqualTo(Integer.signum(expected));
          }
        });
  }

  @Test
  void compare_zeroBytesAndPrefixes_isUnsignedByteOrder() {
    List<String> ids =
        List.of("a", "a\0", "a\0b", "a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "a\0\0\0\0\0\0\0", "ab");
    UserDictionary dictionary = RandomIds.dictionary(ids);
    for (int a = 1; a <= ids.size(); a++) {
      assertThat(dictionary.find(ids.get(a - 1))).isEqualTo(a);
      for (int b = 1; b <= ids.size(); b++) {
        int expected = Arrays.compareUnsigned(utf8(ids.get(a - 1)), utf8(ids.get(b - 1)));
        assertThat(Integer.signum(dictionary.compare(a, b))).isEqualTo(Integer.signum(expected));
      }
    }
  }

  @Test
  void copyId_anyLength_writesOnlyTheId() {
    StringBuilder id = new StringBuilder();
    UserDictionary dictionary = new UserDictionary();
    for (int length = 1; length <= 60; length++) {
      id.append((char) ('a' + length % 26));
      dictionary.append(length, id.toString());
    }
    for (int length = 1; length <= 60; length++) {
      byte[] target = new byte[length + 2];
      assertThat(dictionary.length(length)).isEqualTo(length);
      assertThat(dictionary.copyId(length, target, 1)).isEqualTo(length);
      assertThat(target)
          .isEqualTo(("\0" + id.substring(0, length) + "\0").getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void append_knownUser_changesNothing() {
    UserDictionary dictionary = RandomIds.dictionary(List.of("ann", "bob"));
    dictionary.append(1, "ann");
    assertThat(dictionary.size()).isEqualTo(2);
  }

  @Test
  void append_numberOfAnother_isRefused() {
    UserDictionary dictionary = RandomIds.dictionary(List.of("ann", "bob"));
    assertThatThrownBy(() -> dictionary.append(1, "eve"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> dictionary.append(0, "eve"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(dictionary.size()).isEqualTo(2);
  }

  @Test
  void append_numberWithAGap_isRefused() {
    UserDictionary dictionary = RandomIds.dictionary(List.of("ann", "bob"));
    assertThatThrownBy(() -> dictionary.append(4, "eve"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("number: 4 (expected: 3)");
  }

  @Test
  void find_loneSurrogateWhereAUserHasAQuestionMark_isNobody() {
    UserDictionary dictionary = new UserDictionary();
    String[] prefixes = {"", "seven__", "thirteen_____", "more than fifteen characters"};
    for (int i = 0; i < prefixes.length; i++) {
      dictionary.append(i + 1, prefixes[i] + "?");
    }
    for (int i = 0; i < prefixes.length; i++) {
      String[] asked = {prefixes[i] + "?", prefixes[i] + "\uD83D"};
      int[] numbers = new int[2];
      dictionary.find(asked, 2, numbers);
      assertThat(numbers).containsExactly(i + 1, 0);
      assertThat(dictionary.find(asked[0])).isEqualTo(i + 1);
      assertThat(dictionary.find(asked[1])).isZero();
    }
  }

  @Test
  void append_loneSurrogate_isRefusedAndNotFound() {
    UserDictionary dictionary = RandomIds.dictionary(List.of("?"));
    assertThat(dictionary.find("\uD83D")).isZero();
    assertThatThrownBy(() -> dictionary.append(2, "\uD83D"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void id_numberOfNobody_isRefused() {
    UserDictionary dictionary = RandomIds.dictionary(List.of("ann"));
    assertThat(dictionary.id(0)).isEqualTo("erased");
    assertThatThrownBy(() -> dictionary.id(2)).hasMessage("user: 2 (expected: 1..1)");
    assertThatThrownBy(() -> dictionary.compare(1, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void find_whileAWriterAppends_findsAllThatWereThere() {
    Seeds.withSeed(
        random -> {
          List<String> ids = RandomIds.distinct(30_000, random);
          UserDictionary dictionary = new UserDictionary();
          List<Callable<Void>> threads = new ArrayList<>();
          threads.add(
              () -> {
                for (int i = 0; i < ids.size(); i++) {
                  dictionary.append(i + 1, ids.get(i));
                }
                return null;
              });
          for (int reader = 0; reader < 3; reader++) {
            long seed = random.nextLong();
            threads.add(
                () -> {
                  Random own = new Random(seed);
                  while (dictionary.size() < ids.size()) {
                    int size = dictionary.size();
                    int i = own.nextInt(ids.size());
                    int found = dictionary.find(ids.get(i));
                    if (i < size || found != 0) {
                      assertThat(found).isEqualTo(i + 1);
                      assertThat(dictionary.id(found)).isEqualTo(ids.get(i));
                    }
                    if (size > 0) {
                      assertThat(dictionary.id(size)).isEqualTo(ids.get(size - 1));
                    }
                  }
                  return null;
                });
          }
          try (var executor = Executors.newFixedThreadPool(threads.size())) {
            for (Future<Void> done : executor.invokeAll(threads)) {
              done.get();
            }
          }
        });
  }

  private static byte[] utf8(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }
}
