package dev.laurel.core.privacy;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/**
 * Removes who a user was, and keeps what the user did: entries and ranks stay, under a pseudonym
 * that nobody can lead back; the ledger's lines stay without what is personal about them, and its
 * chain stays whole.
 *
 * <p>The identity goes first and at once; the rest is many short steps, each of which can be done
 * twice, and goes on after a crash ({@link #resume}). Thread-safe; everything blocks.
 */
public final class Erasure {
  /** Other nodes look four times a second for what they have to follow. */
  private static final long NODES_HEARD_MILLIS = 500;

  private final Store store;
  private final BoardDirectory directory;
  private final Profiles profiles;
  private final UserData data;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

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
   * Returns when all of it is gone.
   *
   * @param by the number of the API key, 0 for the user
   * @throws dev.laurel.core.model.RejectedException USER_NOT_FOUND also for one who was erased
   */
  public void erase(long tenant, String userId, long by) {
    int user = profiles.require(tenant, userId);
    // Before the id goes, which they can be found by; and once more for what came meanwhile.
    eraseAnswers(tenant, userId);
    Profile erased = forget(tenant, user, userId, by);
    profiles.follow();
    profiles.renamed(tenant);
    finish(erased);
    eraseAnswers(tenant, userId);
  }

  /** Goes on with what a crash has interrupted. */
  public void resume() {
    List<Profile> all = store.read(tx -> tx.profilesSince(0));
    for (Profile profile : all) {
      if (profile.state() == Profile.State.ERASING) {
        profiles.renamed(profile.tenant());
        finish(profile);
      }
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

  private void finish(Profile profile) {
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
    }
    // What was on its way to the old number when the id was freed.
    eraseLines(profile, done);
    store.write(
        tx -> {
          tx.putProfile(profile.in(Profile.State.ERASED));
          return true;
        });
    profiles.follow();
  }

  /** The entries keep their scores. A line says that it happened, and who asked for it. */
  private void eraseOn(WriteTransaction tx, Board board, Profile profile) {
    long last = tx.lockShard(board.shard());
    List<UserData.Held> held = UserData.entries(tx, board, profile.user());
    if (held.isEmpty()) {
      return;
    }
    tx.putEntries(
        held.stream()
            .filter(h -> h.entry().metadata() != null)
            .map(h -> new EntryWrite(h.season().id(), profile.user(), h.entry().withoutMetadata()))
            .toList());
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

  private void eraseAnswers(long tenant, String userId) {
    String quoted = '"' + userId.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    for (Board board : List.copyOf(directory.ofTenant(tenant))) {
      store.write(
          tx -> {
            tx.eraseAnswers(board.id(), quoted);
            return true;
          });
    }
  }
}
