package dev.laurel.core.privacy;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.TransactionLostException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of all users, in memory: few users have one, and every row of a page asks. What
 * other nodes change is followed by the revision. Thread-safe.
 */
public final class Profiles implements RememberedStore.Part {
  private static final int ATTEMPTS = 5;

  private final Store store;
  private final Users users;
  private final BoardDirectory directory;
  private final RankIndex index;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private volatile Map<Long, Map<Integer, Profile>> byTenant = new ConcurrentHashMap<>();

  private final Map<Long, Long> versions = new ConcurrentHashMap<>();
  private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

  /** Guarded by this. */
  private long revision = -1;

  public Profiles(
      Store store, Users users, BoardDirectory directory, RankIndex index, InstantSource clock) {
    this.store = store;
    this.users = users;
    this.directory = directory;
    this.index = index;
    this.clock = clock;
    follow();
  }

  private record Changed(long revision, List<Profile> profiles) {}

  /** Takes over what others changed. Blocks. */
  public synchronized void follow() {
    Changed changed = store.read(tx -> new Changed(tx.revision(), take(tx)));
    revision = changed.revision;
    tell(changed.profiles.stream().map(Profile::tenant));
  }

  /** All of them may be others there, and whoever had one may have none. */
  @Override
  public synchronized void enter(ReadTransaction tx) {
    Map<Long, Map<Integer, Profile>> next = new ConcurrentHashMap<>();
    users.followErased(tx, Long.MAX_VALUE);
    long stored = tx.revision();
    tx.profilesSince(-1).forEach(profile -> put(next, profile));
    Set<Long> told = new HashSet<>(byTenant.keySet());
    told.addAll(next.keySet());
    // At once: nobody who is not to be shown is, meanwhile.
    byTenant = next;
    revision = stored;
    tell(told.stream());
  }

  private void tell(Stream<Long> tenants) {
    tenants
        .distinct()
        .forEach(
            tenant -> {
              // After the names: whoever sees this number sees them too.
              versions.merge(tenant, 1L, Long::sum);
              listeners.forEach(listener -> listener.accept(tenant));
            });
  }

  /** Is told of tenants whose users may be called something else by now. Returns at once. */
  public void onChange(LongConsumer listener) {
    listeners.add(listener);
  }

  /** Another number when users of the tenant may be called something else. Never blocks. */
  public long version(long tenant) {
    return versions.getOrDefault(tenant, 0L);
  }

  private List<Profile> take(ReadTransaction tx) {
    users.followErased(tx, Long.MAX_VALUE);
    List<Profile> profiles = tx.profilesSince(revision);
    for (Profile profile : profiles) {
      put(byTenant, profile);
    }
    return profiles;
  }

  private static void put(Map<Long, Map<Integer, Profile>> byTenant, Profile profile) {
    byTenant
        .computeIfAbsent(profile.tenant(), t -> new ConcurrentHashMap<>())
        .put(profile.user(), profile);
  }

  /**
   * Lets an index that is elsewhere know of a user's new id, in the seasons that the user is in.
   *
   * @param stop asked between seasons
   * @throws CancellationException if it was stopped: it is to be done again
   */
  void renamed(long tenant, int user, BooleanSupplier stop) {
    for (Board board : directory.ofTenant(tenant)) {
      for (UserData.Held held : store.read(tx -> UserData.entries(tx, board, user))) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("the server stops");
        }
        index.renamed(board, held.season());
      }
    }
  }

  /** All that are in a state, in memory. */
  List<Profile> in(Profile.State state) {
    return byTenant.values().stream()
        .flatMap(profiles -> profiles.values().stream())
        .filter(profile -> profile.state() == state)
        .toList();
  }

  /** By user number; null if none of the tenant's users has one. Never blocks. */
  public @Nullable Map<Integer, Profile> of(long tenant) {
    return byTenant.get(tenant);
  }

  public @Nullable Profile find(long tenant, int user) {
    Map<Integer, Profile> profiles = byTenant.get(tenant);
    return profiles == null ? null : profiles.get(user);
  }

  /** The number of a user who is there, and was not erased. Blocks. */
  public int require(long tenant, String userId) {
    int user = users.find(tenant, userId);
    Profile profile = find(tenant, user);
    if (user == 0 || (profile != null && profile.state() != Profile.State.KEPT)) {
      throw notFound(userId);
    }
    return user;
  }

  static RejectedException notFound(String userId) {
    return Rejection.expectation(
            ErrorCode.USER_NOT_FOUND, "userId", userId, "a user of this tenant")
        .asException();
  }

  /**
   * Replaces a user's profile; a user who is not there yet will be found under it. Blocks.
   *
   * @param by the number of the API key, 0 for the user
   */
  public Profile put(
      long tenant, String userId, @Nullable String displayName, long hiddenFrom, long by) {
    if (!UserIds.isValid(userId)) {
      throw Rejection.invalid("userId", userId, UserIds.EXPECTED).asException();
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      users.assign(tenant, List.of(userId));
      int user = users.find(tenant, userId);
      Profile put = user == 0 ? null : putOf(tenant, user, userId, displayName, hiddenFrom, by);
      if (put != null) {
        follow();
        return put;
      }
      // Whoever had the id was erased meanwhile: it is a new user's now.
      users.followNow(tenant);
    }
    throw new TransactionLostException("the user is erased and comes back all the time");
  }

  /** Null if the user with this number is called something else by now. */
  private @Nullable Profile putOf(
      long tenant,
      int user,
      String userId,
      @Nullable String displayName,
      long hiddenFrom,
      long by) {
    Profile known = find(tenant, user);
    Profile profile =
        new Profile(
            tenant,
            user,
            displayName,
            hiddenFrom,
            // The same for ever, or the public could not follow a pseudonym.
            known == null ? random.nextLong() : known.alias(),
            Profile.State.KEPT,
            by,
            clock.millis());
    try {
      store.write(
          tx -> {
            // First of all: with this change of the configuration no erasure is beside it.
            tx.putProfile(profile);
            if (!tx.userId(tenant, user).equals(userId)) {
              throw notFound(userId);
            }
            return true;
          });
    } catch (RejectedException e) {
      return null;
    }
    return profile;
  }

  /** What the public calls a user of a board who is not to be shown: there always the same. */
  public static String pseudonym(Profile profile, Board board) {
    Digest digest = Digest.of("pseudonym", profile.alias() + "", board.id() + "");
    return "anonymous-" + Long.toHexString(digest.high() >>> 16);
  }
}
