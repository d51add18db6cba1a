package dev.laurel.core.privacy;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.vital.Failures;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes who a user was, and keeps what the user did: entries and ranks stay, under a pseudonym
 * that nobody can lead back; the ledger's lines stay without what is personal about them, and its
 * chain stays whole.
 *
 * <p>The identity goes first and at once; the rest is many short steps, each of which can be done
 * twice, and goes on after a crash or an outage ({@link #turn}). Nobody waits for other nodes:
 * every commit looks under its shard's lock whether somebody was erased, so whoever takes that lock
 * after the identity is gone finds all there will ever be of the user in the shard. Thread-safe;
 * everything blocks.
 */
public final class Erasure {
  /** Of ids, looked at in one transaction. */
  private static final int CHUNK = 5000;

  private static final long PATIENCE_MILLIS = 10_000;

  private final Store store;
  private final BoardDirectory directory;
  private final Profiles profiles;
  private final UserData data;
  private final InstantSource clock;
  private final Consumer<Throwable> onFailure;
  private final SecureRandom random = new SecureRandom();

  /** Those of whom only an index still has the id. */
  private final Set<Key> withoutData = new HashSet<>();

  private record Key(long epoch, long tenant, int user) {}

  /**
   * @param onFailure hears why one could not be finished at once; {@link #turn} tries it again
   */
  public Erasure(
      Store store,
      BoardDirectory directory,
      Profiles profiles,
      UserData data,
      InstantSource clock,
      Consumer<Throwable> onFailure) {
    this.store = store;
    this.directory = directory;
    this.profiles = profiles;
    this.data = data;
    this.clock = clock;
    this.onFailure = onFailure;
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
          finish(erased, () -> eraseAnswers(tenant, userId), () -> false);
        },
        onFailure);
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
        finish(profile, () -> {}, stop);
      } catch (CancellationException e) {
        return; // the next process goes on
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
          // First of all: of several changes of the configuration one comes after the other.
          tx.putProfile(profile);
          if (!tx.userId(tenant, user).equals(userId)) {
            throw Profiles.notFound(userId);
          }
          tx.renameUser(tenant, user, id);
          return profile;
        });
  }

  /**
   * One at a time: the caller's own, or the job's.
   *
   * @param afterData what only the caller can do, when nothing more comes
   */
  private synchronized void finish(Profile profile, Runnable afterData, BooleanSupplier stop) {
    Key key = store.read(tx -> open(tx, profile));
    if (key == null) {
      withoutData.removeIf(k -> k.tenant == profile.tenant() && k.user == profile.user());
      return; // somebody else has finished it
    }
    if (!withoutData.contains(key)) {
      eraseData(profile);
      afterData.run();
      withoutData.add(key);
    }
    // Last, because an index that is away fails here: by then nothing personal is left in the
    // store.
    profiles.renamed(profile.tenant(), profile.user(), stop);
    withoutData.remove(key);
    store.write(
        tx -> {
          tx.putProfile(profile.in(Profile.State.ERASED));
          return true;
        });
    profiles.follow();
  }

  /** Null if it is not under way any more. */
  private static @Nullable Key open(ReadTransaction tx, Profile profile) {
    Profile now = tx.profile(profile.tenant(), profile.user());
    return now != null && now.state() == Profile.State.ERASING
        ? new Key(tx.epoch(), profile.tenant(), profile.user())
        : null;
  }

  private void eraseData(Profile profile) {
    // With those that another node has made meanwhile.
    store.read(
        tx -> {
          directory.follow(tx);
          return true;
        });
    for (Board board : List.copyOf(directory.ofTenant(profile.tenant()))) {
      store.write(
          tx -> {
            eraseOn(tx, board, profile);
            return true;
          });
    }
    // Afterwards: what was on its way when the id was freed is stored by now, and no more comes.
    data.lines(
        profile.tenant(),
        profile.user(),
        lines ->
            store.write(
                tx -> {
                  tx.erase(lines);
                  return true;
                }));
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

  /** Kept answers name users in these fields, and nowhere else. */
  private void eraseAnswers(long tenant, String userId) {
    String quoted = '"' + userId.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    List<String> texts = List.of("\"userId\":" + quoted, "\"user_id\":" + quoted);
    for (Board board : List.copyOf(directory.ofTenant(tenant))) {
      IdChunk chunk = new IdChunk(board.id(), null, null, 0);
      do {
        Digest after = chunk.last();
        chunk = store.read(tx -> tx.answerChunk(board.id(), after, texts, CHUNK));
        if (chunk.old() > 0) {
          IdChunk found = chunk;
          store.write(
              tx -> {
                tx.eraseAnswers(found, texts);
                return true;
              });
        }
      } while (chunk.last() != null);
    }
  }
}
