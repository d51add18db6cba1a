package dev.laurel.core.rank;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Ids that are hard to order: short, long, prefixes of each other, and beyond ASCII. */
final class RandomIds {
  /** U+FFFD and an emoji compare one way as UTF-8 and the other way as Java strings. */
  private static final List<String> PARTS =
      List.of("a", "b", "aa", "z", "0", "~", "é", "ÿ", "漢", "\uFFFD", "😀", "𝔘", "user_", "-");

  private RandomIds() {}

  /** So many different ids. */
  static List<String> distinct(int count, Random random) {
    Set<String> ids = new LinkedHashSet<>();
    while (ids.size() < count) {
      ids.add(next(random));
    }
    return List.copyOf(ids);
  }

  static String next(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> "user_" + random.nextInt(1_000_000);
      case 1 -> "a".repeat(1 + random.nextInt(40));
      case 2 -> new UUID(random.nextLong(), random.nextLong()).toString();
      // The same first 8, 15 or 16 bytes, where the dictionary changes its ways.
      case 3 -> "same-first-bytes".substring(0, 7 + random.nextInt(10)) + random.nextInt(1000);
      default -> {
        StringBuilder id = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
          id.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        yield id.toString();
      }
    };
  }

  static UserDictionary dictionary(List<String> ids) {
    UserDictionary dictionary = new UserDictionary();
    for (int i = 0; i < ids.size(); i++) {
      dictionary.append(i + 1, ids.get(i));
    }
    return dictionary;
  }
}
