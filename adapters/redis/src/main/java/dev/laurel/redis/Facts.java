package dev.laurel.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Redis said about a season, all of it at one line. Immutable. */
record Facts(long line, long size, Map<Need, Object> known) {
  /** With these of the facts that one call told to many. */
  Facts and(Facts found, List<Need> needs) {
    Map<Need, Object> all = new HashMap<>(known);
    for (Need need : needs) {
      Object fact = found.known.get(need);
      if (fact != null) {
        all.put(need, fact);
      }
    }
    return new Facts(line, size, all);
  }

  <T> @Nullable T get(Need need, Class<T> type) {
    return type.cast(known.get(need));
  }
}
