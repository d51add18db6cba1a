package dev.laurel.core.privacy;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.vital.Failures;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Removes who a user was, and keeps what the user did: entries and ranks stay, under a pseudonym
 * that nobody can lead back; the ledger's lines stay without what is personal about them, and its
 * chain stays whole.
 *
 * <p>The identity goes first and at once; the rest is many short steps, each of which can be done
 * twice, and goes on after a crash or an outage ({@link #turn}). Thread-safe; everything blocks.
 */
public final class Erasure {
  /** Other nodes look four times a second for what they have to follow. */
  private static final long NODES_HEARD_MILLIS = 500;

  private static final long PATIENCE_MILLIS = 10_000;

  private final Store store;
  private final BoardDirectory directory;
  private final Profiles profiles;
  private final UserData data;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  /** Those of whom only an index still has the id. */
  private final Set<Key> withoutData = new HashSet<>();

  private record Key(long tenant, int user) {}

  public Erasure(
      Store store,
      BoardDirectory directory,
      Profiles profiles,
      UserData data,
      InstantSource clock) {
    this.store = store;
    this.directory = directory;
    this.profiles = profiles;
    this.data = data;
    this.clock = clock;
  }

  /**
   * Once the id is gone nothing fails any more: what cannot be done now, such as with an index that
   * is away, {@link #turn} does later.
   *
   * @param by the number of the API key, 0 for the user
   * @return whether all of it is gone
   * @throws dev.laurel.core.model.RejectedException USER_NOT_FOUND also for one who was erased
   */
  public boolean erase(long tenant, String userId, long by) {
    int user = profiles.require(tenant, userId);
    // Before the id goes, which they can be found by; and once more for what came meanwhile.
    eraseAnswers(tenant, userId);
    Profile erased = forget(tenant, user, userId, by);
    return Failures.survive(
        () -> {
          profiles.follow();
          eraseAnswers(tenant, userId);
          finish(erased);
        },
        e -> {});
  }

  /** Goes on with what was interrupted; one that fails holds up itself alone. */
  public void turn(BooleanSupplier stop) {
    RuntimeException failed = null;
    for (Profile profile : profiles.in(Profile.State.ERASING)) {
      if (stop.getAsBoolean()) {
        return;
      }
      // Until then its caller is at it, perhaps on another node.
      if (clock.millis() - profile.changedAt() < PATIENCE_MILLIS) {
        continue;
      }
      try {
        finish(profile);
      } catch (RuntimeException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private Profile forget(long tenant, int user, String userId, long by) {
    String id = UserIds.erased(random.nextLong());
    Profile profile =
        new Profile(tenant, user, null, 0, 0, Profile.State.ERASING, by, clock.millis());
    return store.write(
        tx -> {
          if (!tx.userId(tenant, user).equals(userId)) {
            throw Profiles.notFound(userId);
          }
          tx.renameUser(tenant, user, id);
          tx.putProfile(profile);
          return profile;
        });
  }

  /** One at a time: the caller's own, or the job's. */
  private synchronized void finish(Profile profile) {
    Key key = new Key(profile.tenant(), profile.user());
    if (store.read(tx -> tx.profilesSince(0)).stream().noneMatch(p -> isOpen(p, key))) {
      return; // somebody else has finished it
    }
    if (!withoutData.contains(key)) {
      eraseData(profile);
      withoutData.add(key);
    }
    // Last, because an index that is away fails here: by then nothing personal is left in the
    // store.
    profiles.renamed(profile.tenant(), profile.user());
    withoutData.remove(key);
    store.write(
        tx -> {
          tx.putProfile(profile.in(Profile.State.ERASED));
          return true;
        });
    profiles.follow();
  }

  private static boolean isOpen(Profile profile, Key key) {
    return profile.state() == Profile.State.ERASING
        && profile.tenant() == key.tenant
        && profile.user() == key.user;
  }

  private void eraseData(Profile profile) {
    for (Board board : List.copyOf(directory.ofTenant(profile.tenant()))) {
      store.write(
          tx -> {
            eraseOn(tx, board, profile);
            return true;
          });
    }
    UserData.Position done = new UserData.Position();
    eraseLines(profile, done);
    if (store.isShared()) {
      awaitOthers();
      // What other nodes wrote to the old number before they had heard of it.
      for (Board board : List.copyOf(directory.ofTenant(profile.tenant()))) {
        store.write(
            tx -> {
              tx.lockShard(board.shard());
              eraseMetadata(tx, profile, UserData.entries(tx, board, profile.user()));
              return true;
            });
      }
    }
    // What was on its way to the old number when the id was freed.
    eraseLines(profile, done);
  }

  private static void eraseMetadata(
      WriteTransaction tx, Profile profile, List<UserData.Held> held) {
    tx.putEntries(
        held.stream()
            .filter(h -> h.entry().metadata() != null)
            .map(h -> new EntryWrite(h.season().id(), profile.user(), h.entry().withoutMetadata()))
            .toList());
  }

  /** The entries keep their scores. A line says that it happened, and who asked for it. */
  private void eraseOn(WriteTransaction tx, Board board, Profile profile) {
    long last = tx.lockShard(board.shard());
    List<UserData.Held> held = UserData.entries(tx, board, profile.user());
    if (held.isEmpty()) {
      return;
    }
    eraseMetadata(tx, profile, held);
    long previous = held.stream().mapToLong(h -> h.entry().last()).max().orElse(0);
    tx.append(
        board.shard(),
        List.of(
            new LedgerLine(
                board.shard(),
                last + 1,
                board.id(),
                profile.user(),
                LedgerLine.Kind.ERASE,
                board.update(),
                0,
                tx.now(),
                // None: no season's ranks change by it.
                0,
                board.version(),
                previous,
                random.nextLong(),
                profile.changedBy(),
                null,
                null,
                null,
                null)));
  }

  private void eraseLines(Profile profile, UserData.Position since) {
    data.lines(
        profile.tenant(),
        profile.user(),
        since,
        lines ->
            store.write(
                tx -> {
                  tx.erase(lines);
                  return true;
                }));
  }

  private static void awaitOthers() {
    try {
      Thread.sleep(NODES_HEARD_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kept answers name users in these fields, and nowhere else. */
  private void eraseAnswers(long tenant, String userId) {
    String quoted = '"' + userId.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    for (Board board : List.copyOf(directory.ofTenant(tenant))) {
      store.write(
          tx -> {
            tx.eraseAnswers(board.id(), "\"userId\":" + quoted);
            tx.eraseAnswers(board.id(), "\"user_id\":" + quoted);
            return true;
          });
    }
  }
}
