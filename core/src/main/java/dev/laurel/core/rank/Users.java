package dev.laurel.core.rank;

import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.ErasedUser;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.TransactionLostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The user dictionaries of all tenants, each loaded at its first use and then followed by number: a
 * dictionary is complete up to its size. Thread-safe.
 */
public final class Users implements RememberedStore.Part {
  private final Store store;
  private final boolean shared;
  private final IndexMemory memory;
  private volatile Known known;
  private final List<Runnable> onRename = new CopyOnWriteArrayList<>();
  private final List<Runnable> onGrowth = new CopyOnWriteArrayList<>();

  /** What they took when listeners were told last. */
  private final AtomicLong bytesTold = new AtomicLong();

  /** What dictionaries will take that are not loaded yet, by tenant; see {@link #measure}. */
  private volatile Map<Long, Long> stored = Map.of();

  /** Of an erased user's id beside the dictionary: an entry of a map, with key and text. */
  private static final long BYTES_PER_ERASED = 128;

  /** How often somebody got another id. */
  private final AtomicLong renames = new AtomicLong();

  /** How often ids are given numbers anew because others erased them meanwhile. */
  private static final int ASSIGNMENTS = 10;

  /** The dictionaries of one epoch: what is read in another one never gets into them. */
  private static final class Known {
    final long epoch;
    final ConcurrentHashMap<Long, Loaded> byTenant = new ConcurrentHashMap<>();

    /** The revision up to which everyone who was erased has another id here. */
    volatile long erasedUpTo;

    Known(long epoch) {
      this.epoch = epoch;
    }

    Loaded of(long tenant) {
      return byTenant.computeIfAbsent(tenant, t -> new Loaded());
    }
  }

  /** A dictionary, and whether everything that was stored when it was made has been read. */
  private static final class Loaded {
    final UserDictionary dictionary = new UserDictionary();

    /** What erased users are called; an older look at the store does not bring them back. */
    final ConcurrentHashMap<Integer, String> erased = new ConcurrentHashMap<>();

    volatile boolean complete;

    /** Held by whoever asks the store now; guards when that began. */
    final Object asking = new Object();

    long begun = System.nanoTime();
  }

  /** As many as there are. */
  public Users(RememberedStore store) {
    this(store, new IndexMemory(Long.MAX_VALUE, (_, _) -> {}));
  }

  /**
   * @param memory says when there are too many: ids are never unloaded
   */
  public Users(RememberedStore store, IndexMemory memory) {
    this.store = store;
    this.shared = store.isShared();
    this.memory = memory;
    this.known = new Known(store.era().epoch());
    store.remember(this);
  }

  /** What ids share with ranks. */
  public IndexMemory memory() {
    return memory;
  }

  /** Who has which number is another question there. They are read when somebody asks. */
  @Override
  public void enter(ReadTransaction tx) {
    known = new Known(tx.epoch());
    bytesTold.set(0);
    renames.incrementAndGet();
  }

  /**
   * What the ids in memory take, of all tenants, and those that are going to be: see {@link
   * #measure}. Never blocks.
   */
  public long bytes() {
    Map<Long, Long> expected = stored;
    Map<Long, Loaded> loaded = known.byTenant;
    long bytes = 0;
    for (Map.Entry<Long, Loaded> tenant : loaded.entrySet()) {
      Loaded users = tenant.getValue();
      if (users.complete || !expected.containsKey(tenant.getKey())) {
        bytes += users.dictionary.bytes() + BYTES_PER_ERASED * users.erased.size();
      }
    }
    for (Map.Entry<Long, Long> tenant : expected.entrySet()) {
      Loaded users = loaded.get(tenant.getKey());
      if (users == null || !users.complete) {
        bytes += tenant.getValue();
      }
    }
    return bytes;
  }

  /**
   * Asks the store what the ids of all tenants take, before any of them is read: they will be, and
   * nobody else may have that memory meanwhile. Where there are few, a bound is enough, as the
   * lengths of all ids are a long read.
   *
   * @return {@link #bytes}
   */
  public long measure() {
    stored =
        store.read(
            Store.Reading.LONG,
            tx -> {
              Map<Long, Long> most = new HashMap<>();
              Map<Long, Long> exact = new HashMap<>();
              for (Tenant tenant : tx.tenants()) {
                long users = tx.lastUser(tenant.id());
                most.put(tenant.id(), UserDictionary.bytesOf(users, users * UserIds.MAX_BYTES));
              }
              if (sum(most) <= memory.idLimit() / 2) {
                return most;
              }
              for (long tenant : most.keySet()) {
                exact.put(
                    tenant,
                    UserDictionary.bytesOf(
                        tx.lastUser(tenant), tx.longIdBytes(tenant, UserDictionary.INLINE_BYTES)));
              }
              return exact;
            });
    return bytes();
  }

  private static long sum(Map<Long, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The tenant's dictionary if it is in memory. Never blocks. */
  public @Nullable UserDictionary ifLoaded(long tenant) {
    Loaded loaded = known.byTenant.get(tenant);
    return loaded != null && loaded.complete ? loaded.dictionary : null;
  }

  /** The same in the transaction's epoch, and in no other. */
  public @Nullable UserDictionary ifLoaded(ReadTransaction tx, long tenant) {
    Known current = known;
    NewEpochException.unless(tx, current.epoch);
    Loaded loaded = current.byTenant.get(tenant);
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

  /** Whether other nodes number users too. */
  public boolean areShared() {
    return shared;
  }

  /**
   * The same as {@link #of} for who is going to write: it waits for others who write, never for
   * those who read.
   */
  public UserDictionary toWrite(long tenant) {
    UserDictionary loaded = ifLoaded(tenant);
    return loaded != null ? loaded : store.write(tx -> follow(tx, tenant));
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
    Known current = known;
    Loaded loaded = current.of(tenant);
    long came = System.nanoTime();
    synchronized (loaded.asking) {
      if (!loaded.complete || loaded.begun - came <= 0) {
        long begin = System.nanoTime();
        store.read(tx -> follow(tx, current, tenant));
        loaded.begun = begin;
      }
    }
    return loaded.dictionary;
  }

  /** The tenant's dictionary with every user that the transaction sees. */
  public UserDictionary follow(ReadTransaction tx, long tenant) {
    return follow(tx, known, tenant);
  }

  private UserDictionary follow(ReadTransaction tx, Known current, long tenant) {
    followErased(tx, current, tx.revision());
    Loaded loaded = current.of(tenant);
    UserDictionary dictionary = loaded.dictionary;
    IdOrder before = dictionary.order();
    // Two may read on at once, and one of them may be late.
    tx.users(
        tenant,
        dictionary.size(),
        (number, id) -> {
          synchronized (dictionary) {
            dictionary.appendIfNext(number, loaded.erased.getOrDefault(number, id));
          }
        });
    loaded.complete = true;
    tellOfRenames(before);
    tellOfGrowth();
    return dictionary;
  }

  /** Is told, by whoever made it so, that ids take a good deal more. Returns at once. */
  void onGrowth(Runnable listener) {
    onGrowth.add(listener);
  }

  private void tellOfGrowth() {
    long now = bytes();
    long before = bytesTold.get();
    if (memory.isMuchOfBytes(now - before) && bytesTold.compareAndSet(before, now)) {
      onGrowth.forEach(Runnable::run);
    }
  }

  /** Is told, by whoever read it, that ids have become others. Returns at once. */
  void onRename(Runnable listener) {
    onRename.add(listener);
  }

  /**
   * Takes over who was erased, as the transaction sees it. So whoever is looked up afterwards is
   * somebody whom the transaction knows by this id.
   *
   * @param revision one that is not before the transaction's
   */
  public void followErased(ReadTransaction tx, long revision) {
    followErased(tx, known, revision);
  }

  private void followErased(ReadTransaction tx, Known current, long revision) {
    NewEpochException.unless(tx, current.epoch);
    long from = current.erasedUpTo;
    if (revision > from) {
      // Read before the list is: another transaction may see more of it.
      long stored = tx.revision();
      for (ErasedUser erased : tx.erasedSince(from)) {
        renamed(current.of(erased.tenant()), erased.user(), erased.id());
      }
      synchronized (current) {
        current.erasedUpTo = Math.max(current.erasedUpTo, stored);
      }
    }
  }

  /** Another number when somebody may have another id. Never blocks. */
  public long renames() {
    return renames.get();
  }

  /** Those of a tenant's users who were erased, by number. Never blocks. */
  public Set<Integer> erased(long tenant) {
    Loaded loaded = known.byTenant.get(tenant);
    return loaded == null ? Set.of() : loaded.erased.keySet();
  }

  /** A user has another id. One who is not in memory is read with it. */
  private void renamed(Loaded loaded, int user, String id) {
    UserDictionary dictionary = loaded.dictionary;
    IdOrder before = dictionary.order();
    synchronized (dictionary) {
      if (id.equals(loaded.erased.put(user, id))) {
        return;
      }
      if (user <= dictionary.size()) {
        dictionary.rename(user, id);
      }
    }
    renames.incrementAndGet();
    tellOfRenames(before);
  }

  private void tellOfRenames(IdOrder before) {
    if (!before.isLatest()) {
      onRename.forEach(Runnable::run);
    }
  }

  /**
   * Gives every one of the ids a number; afterwards the dictionary finds them all, unless somebody
   * is erased in that moment.
   *
   * @throws NewEpochException if the store is in another epoch: nobody was numbered there
   * @throws dev.laurel.core.model.RejectedException if there is no memory for those who are new;
   *     then nobody gets a number, and those who have one are found
   */
  public void assign(long tenant, Iterable<String> ids) {
    Known current = known;
    for (int i = 0; i < ASSIGNMENTS; i++) {
      if (assigned(current, tenant, ids)) {
        return;
      }
      // Others have numbers in between, or whoever had one of these ids was erased meanwhile.
      store.write(tx -> follow(tx, current, tenant));
    }
    throw new TransactionLostException("ids are erased as fast as they get numbers");
  }

  private boolean assigned(Known current, long tenant, Iterable<String> ids) {
    Loaded loaded = current.of(tenant);
    UserDictionary dictionary =
        loaded.complete ? loaded.dictionary : store.write(tx -> follow(tx, current, tenant));
    KnownUsers met = new KnownUsers(current.epoch, dictionary.size());
    NavigableSet<String> unknown = unknown(dictionary, ids);
    if (shared && !memory.hasRoomForIds(bytes() + dictionary.bytesFor(unknown))) {
      // They may have numbers of another node, unheard of here: those are not new.
      store.write(tx -> follow(tx, current, tenant));
      met = new KnownUsers(current.epoch, dictionary.size());
      unknown = unknown(dictionary, ids);
    }
    if (unknown.isEmpty()) {
      return true;
    }
    memory.requireRoomForIds(bytes() + dictionary.bytesFor(unknown));
    List<String> asked = new ArrayList<>(unknown);
    int[] numbers = store.assignUsers(tenant, met, asked);
    IdOrder before = dictionary.order();
    boolean appended = append(dictionary, numbers, asked);
    tellOfRenames(before);
    tellOfGrowth();
    return appended;
  }

  /** Sorted, so that two nodes that assign the same ids lock rows in the same order. */
  private static NavigableSet<String> unknown(UserDictionary dictionary, Iterable<String> ids) {
    NavigableSet<String> unknown = new TreeSet<>();
    for (String id : ids) {
      if (dictionary.find(id) == 0) {
        unknown.add(id);
      }
    }
    return unknown;
  }

  /** False if the store must be asked who has the numbers. */
  private static boolean append(UserDictionary dictionary, int[] numbers, List<String> ids) {
    for (int i = 0; i < numbers.length; i++) {
      // The dictionary's own lock: a number is appended once, by whoever comes first.
      synchronized (dictionary) {
        int next = dictionary.size() + 1;
        if (numbers[i] > next || (numbers[i] < next && dictionary.find(ids.get(i)) != numbers[i])) {
          return false;
        }
        dictionary.append(numbers[i], ids.get(i));
      }
    }
    return true;
  }
}
