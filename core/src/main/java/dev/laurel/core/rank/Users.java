package dev.laurel.core.rank;

import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The user dictionaries of all tenants, each loaded at its first use and then followed by number: a
 * dictionary is complete up to its size. Thread-safe.
 */
public final class Users {
  private final Store store;
  private final boolean shared;
  private final ConcurrentHashMap<Long, Loaded> byTenant = new ConcurrentHashMap<>();
  private final List<Runnable> onRename = new CopyOnWriteArrayList<>();

  /** A dictionary, and whether everything that was stored when it was made has been read. */
  private static final class Loaded {
    final UserDictionary dictionary = new UserDictionary();
    volatile boolean complete;

    /** Held by whoever asks the store now; guards when that began. */
    final Object asking = new Object();

    long begun = System.nanoTime();
  }

  public Users(Store store) {
    this.store = store;
    this.shared = store.isShared();
  }

  /** How many users are in memory, of all tenants. */
  public long size() {
    long size = 0;
    for (Loaded loaded : byTenant.values()) {
      size += loaded.dictionary.size();
    }
    return size;
  }

  /** The tenant's dictionary if it is in memory. Never blocks. */
  public @Nullable UserDictionary ifLoaded(long tenant) {
    Loaded loaded = byTenant.get(tenant);
    return loaded != null && loaded.complete ? loaded.dictionary : null;
  }

  /** The tenant's dictionary, read from the store if need be (so not inside a transaction). */
  public UserDictionary of(long tenant) {
    UserDictionary loaded = ifLoaded(tenant);
    return loaded != null ? loaded : followNow(tenant);
  }

  /**
   * The number of the user with this id, 0 if there is none. Where other nodes number users too, an
   * id that is not in memory is asked of the store (so not inside a transaction).
   */
  public int find(long tenant, String id) {
    int known = of(tenant).find(id);
    return known != 0 || !shared ? known : followNow(tenant).find(id);
  }

  /** Whether somebody of these may have been numbered by another node, unheard of here. */
  public boolean mayLack(UserDictionary dictionary, Iterable<String> ids) {
    if (shared) {
      for (String id : ids) {
        if (dictionary.find(id) == 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Everyone who has a number now, whichever node gave it (so not inside a transaction). */
  public UserDictionary all(long tenant) {
    return shared ? followNow(tenant) : of(tenant);
  }

  /** Everyone whom the transaction's rows may name: another node may have numbered them. */
  public UserDictionary in(ReadTransaction tx, long tenant) {
    UserDictionary loaded = shared ? null : ifLoaded(tenant);
    return loaded != null ? loaded : follow(tx, tenant);
  }

  /**
   * The tenant's dictionary with everyone who has a number now (so not inside a transaction). Many
   * who ask at once share a look at the store: one that began after they came is as good as theirs.
   */
  public UserDictionary followNow(long tenant) {
    Loaded loaded = byTenant.computeIfAbsent(tenant, t -> new Loaded());
    long came = System.nanoTime();
    synchronized (loaded.asking) {
      if (!loaded.complete || loaded.begun - came <= 0) {
        long begin = System.nanoTime();
        store.read(tx -> follow(tx, tenant));
        loaded.begun = begin;
      }
    }
    return loaded.dictionary;
  }

  /** The tenant's dictionary with every user that the transaction sees. */
  public UserDictionary follow(ReadTransaction tx, long tenant) {
    Loaded loaded = byTenant.computeIfAbsent(tenant, t -> new Loaded());
    UserDictionary dictionary = loaded.dictionary;
    IdOrder before = dictionary.order();
    // Two may read on at once, and one of them may be late.
    tx.users(tenant, dictionary.size(), dictionary::appendIfNext);
    loaded.complete = true;
    tellOfRenames(before);
    return dictionary;
  }

  /** Is told, by whoever read it, that ids have become others. Returns at once. */
  void onRename(Runnable listener) {
    onRename.add(listener);
  }

  /** A user has another id. One who is not in memory is read with it. */
  public void renamed(long tenant, int user, String id) {
    Loaded loaded = byTenant.get(tenant);
    if (loaded != null && user <= loaded.dictionary.size()) {
      IdOrder before = loaded.dictionary.order();
      loaded.dictionary.rename(user, id);
      tellOfRenames(before);
    }
  }

  private void tellOfRenames(IdOrder before) {
    if (!before.isLatest()) {
      onRename.forEach(Runnable::run);
    }
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
    List<String> asked = new ArrayList<>(unknown);
    int[] numbers = store.assignUsers(tenant, known, asked);
    IdOrder before = dictionary.order();
    boolean appended = append(dictionary, numbers, asked);
    tellOfRenames(before);
    if (!appended) {
      store.read(tx -> follow(tx, tenant));
    }
  }

  /** False if somebody else's numbers are in between, and the store must be asked for them. */
  private static boolean append(UserDictionary dictionary, int[] numbers, List<String> ids) {
    for (int i = 0; i < numbers.length; i++) {
      // The dictionary's own lock: a number is appended once, by whoever comes first.
      synchronized (dictionary) {
        if (numbers[i] > dictionary.size() + 1) {
          return false;
        }
        dictionary.append(numbers[i], ids.get(i));
      }
    }
    return true;
  }
}
