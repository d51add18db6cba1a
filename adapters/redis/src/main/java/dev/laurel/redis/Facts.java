package dev.laurel.redis;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Redis said about a season, all of it at one line. Immutable. */
record Facts(long line, long size, Map<Need, Object> known) {
  Facts and(Facts more) {
    Map<Need, Object> all = new HashMap<>(known);
    all.putAll(more.known);
    return new Facts(line, size, all);
  }

  Set<Need> with(List<Need> more) {
    Set<Need> all = new LinkedHashSet<>(known.keySet());
    all.addAll(more);
    return all;
  }

  <T> @Nullable T get(Need need, Class<T> type) {
    return type.cast(known.get(need));
  }
}
