package dev.laurel.core.rank;

import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The user dictionaries of all tenants, each loaded at its first use and then followed by number: a
 * dictionary is complete up to its size. Thread-safe.
 */
public final class Users {
  private final Store store;
  private final ConcurrentHashMap<Long, Loaded> byTenant = new ConcurrentHashMap<>();

  /** A dictionary, and whether everything that was stored when it was made has been read. */
  private static final class Loaded {
    final UserDictionary dictionary = new UserDictionary();
    volatile boolean complete;
  }

  public Users(Store store) {
    this.store = store;
  }

  /** The tenant's dictionary if it is in memory. Never blocks. */
  public @Nullable UserDictionary ifLoaded(long tenant) {
    Loaded loaded = byTenant.get(tenant);
    return loaded != null && loaded.complete ? loaded.dictionary : null;
  }

  /** The tenant's dictionary, read from the store if need be. */
  public UserDictionary of(long tenant) {
    Loaded loaded = byTenant.computeIfAbsent(tenant, t -> new Loaded());
    if (!loaded.complete) {
      synchronized (loaded) {
        if (!loaded.complete) {
          store.read(tx -> follow(tx, tenant));
        }
      }
    }
    return loaded.dictionary;
  }

  /** The tenant's dictionary with every user that the transaction sees. */
  UserDictionary follow(ReadTransaction tx, long tenant) {
    Loaded loaded = byTenant.computeIfAbsent(tenant, t -> new Loaded());
    synchronized (loaded) {
      tx.users(tenant, loaded.dictionary.size(), loaded.dictionary::append);
      loaded.complete = true;
    }
    return loaded.dictionary;
  }

  /** Gives every one of the ids a number; afterwards the dictionary finds them all. */
  public void assign(long tenant, Iterable<String> ids) {
    UserDictionary dictionary = of(tenant);
    int known = dictionary.size();
    // Sorted, so that two nodes that assign the same ids lock rows in the same order.
    TreeSet<String> unknown = new TreeSet<>();
    for (String id : ids) {
      if (dictionary.find(id) == 0) {
        unknown.add(id);
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    Loaded loaded = byTenant.get(tenant);
    if (loaded == null) {
      throw new IllegalStateException("tenant " + tenant + " was unloaded");
    }
    synchronized (loaded) {
      List<String> asked = new ArrayList<>(unknown);
      int[] numbers = store.assignUsers(tenant, known, asked);
      boolean contiguous = true;
      for (int i = 0; i < numbers.length && contiguous; i++) {
        contiguous = numbers[i] == dictionary.size() + 1;
        if (contiguous) {
          dictionary.append(numbers[i], asked.get(i));
        }
      }
      if (!contiguous) {
        store.read(tx -> follow(tx, tenant));
      }
    }
  }
}
