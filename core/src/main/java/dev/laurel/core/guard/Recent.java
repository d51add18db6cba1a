package dev.laurel.core.guard;

import java.util.LinkedHashMap;
import java.util.Map;

/** The most recently used of many, so that what is kept has a bound. One thread. */
public final class Recent<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;
  private final int limit;

  public Recent(int limit) {
    super(16, 0.75f, true);
    this.limit = limit;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > limit;
  }
}
