package dev.laurel.archive;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values that were asked for last. What is missing is read by whoever misses it. Thread-safe.
 */
final class Recent<K, V> {
  private final Map<K, V> values;

  Recent(int capacity) {
    this.values =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  V get(K key, Function<K, V> read) {
    V known = find(key);
    if (known != null) {
      return known;
    }
    V value = read.apply(key);
    synchronized (values) {
      values.put(key, value);
    }
    return value;
  }

  private @Nullable V find(K key) {
    synchronized (values) {
      return values.get(key);
    }
  }
}
