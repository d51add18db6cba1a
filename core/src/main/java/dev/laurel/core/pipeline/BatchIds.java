package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.WriteTransaction;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ids of one batch, of its commands and of whole requests: which were used before, and which it
 * uses. Belongs to the batch's thread.
 */
final class BatchIds {
  private final Map<StoredId.Name, StoredId> known;
  private final long forgotten;
  private final long now;
  private final Map<StoredId.Name, StoredId> added = new LinkedHashMap<>();

  /** Used so long ago that they may be used again. */
  private final Set<StoredId.Name> expired = new HashSet<>();

  /**
   * @param known those that were used before the batch
   * @param forgotten see {@link dev.laurel.core.board.BoardDirectory#forgotten}
   */
  BatchIds(Map<StoredId.Name, StoredId> known, long forgotten, long now) {
    this.known = known;
    this.forgotten = forgotten;
    this.now = now;
  }

  /** The answer to a command whose id was used, by the batch or before it; null if it is new. */
  @Nullable Decision repeated(Validation.Valid valid, int user) {
    StoredId.Name id = valid.id();
    if (id == null) {
      return null;
    }
    StoredId stored = inForce(valid, id);
    StoredId.Name former = valid.formerId();
    if (stored == null && former != null) {
      stored = inForce(valid, former);
    }
    StoredId used = stored == null ? added.get(id) : stored;
    return used == null ? null : repeated(valid, user, used);
  }

  private @Nullable StoredId inForce(Validation.Valid valid, StoredId.Name name) {
    StoredId stored = known.get(name);
    if (stored != null && !valid.isHeldBy(stored, now)) {
      expired.add(name);
      return null;
    }
    return stored;
  }

  /** Why a command whose id is not known is not taken: it may have been before; null if not. */
  @Nullable Rejection tooOld(Board board, Validation.Valid valid) {
    return tooOld(board, valid, forgotten);
  }

  static @Nullable Rejection tooOld(Board board, Validation.Valid valid, long forgotten) {
    Long at = valid.at();
    return valid.id() == null || at == null || at > forgotten || board.createdAt() > forgotten
        ? null
        : Rejection.expectation(
            ErrorCode.EVENT_TOO_OLD,
            "timestamp",
            Instant.ofEpochMilli(at),
            "after "
                + Instant.ofEpochMilli(forgotten)
                + " for an event with an id, as older ids are not remembered");
  }

  /** Why an action that was not taken before is not taken now; null if it is. */
  @Nullable Rejection usedUp(Validation.Valid valid) {
    StoredId.Name tally = valid.tally(now);
    Command.DailyLimit limit = valid.limit();
    return tally == null || limit == null || count(tally) < limit.most()
        ? null
        : Rejection.expectation(
            ErrorCode.ACTION_LIMIT_REACHED,
            "action_type",
            limit.action(),
            "at most " + limit.most() + " times a day");
  }

  private long count(StoredId.Name tally) {
    StoredId counted = added.getOrDefault(tally, known.get(tally));
    return counted == null ? 0 : counted.score();
  }

  /** One more today. The count is kept as ids are: on every node, and until the day is over. */
  private void count(Validation.Valid valid, Digest payload) {
    StoredId.Name tally = valid.tally(now);
    if (tally != null) {
      long count = count(tally) + 1;
      if (known.containsKey(tally)) {
        expired.add(tally); // another takes its place
      }
      added.put(
          tally,
          new StoredId(
              tally.board(),
              tally.key(),
              payload,
              0,
              true,
              count,
              0,
              now,
              null,
              now + 2 * Validation.DAY_MILLIS));
    }
  }

  private static Decision repeated(Validation.Valid valid, int user, StoredId used) {
    if (valid.action()) {
      return Decision.rejected(
          Rejection.expectation(
              ErrorCode.ACTION_REPLAYED,
              "action_id",
              String.valueOf(valid.eventId()),
              "a new id for each completion; this one was taken"));
    }
    if (!used.payload().equals(valid.payload())) {
      return Decision.rejected(
          Rejection.expectation(
              ErrorCode.EVENT_ID_CONFLICT,
              "eventId",
              String.valueOf(valid.eventId()),
              "a new id for a new event; this one was used for another"));
    }
    return new Decision(
        new Outcome.Accepted(
            Outcome.Effect.DUPLICATE,
            true,
            used.score(),
            used.reached(),
            0,
            used.line(),
            null,
            List.of()),
        null,
        user);
  }

  /** What an earlier batch kept with a request's key; null if there is nothing, or no more. */
  @Nullable StoredId kept(StoredId.Name key, Request.Idempotency idempotency) {
    StoredId stored = known.get(key);
    if (stored != null && now - stored.createdAt() >= idempotency.keptMillis()) {
      expired.add(key);
      return null;
    }
    return stored;
  }

  /** Keeps a command's id, if it has one, with what the command led to. */
  void keep(Validation.Valid valid, long line, boolean effective, @Nullable Entry entry) {
    if (valid.id() != null && valid.payload() != null) {
      count(valid, valid.payload());
      long score = entry == null ? 0 : entry.score();
      long reached = entry == null ? 0 : entry.reached();
      // An event without a time is never too old: only its id tells that it was taken.
      long expires =
          valid.action() ? now + Validation.ACTION_MILLIS : valid.at() == null ? StoredId.NEVER : 0;
      added.put(
          valid.id(),
          new StoredId(
              valid.id().board(),
              valid.id().key(),
              valid.payload(),
              line,
              effective,
              score,
              reached,
              now,
              null,
              expires));
    }
  }

  /** Keeps a request's key with the whole answer. */
  void keep(StoredId.Name key, Request.Idempotency idempotency, byte[] answer) {
    long kept = idempotency.keptMillis();
    long expires = kept == Long.MAX_VALUE ? 0 : now + kept;
    added.put(
        key,
        new StoredId(
            key.board(), key.key(), idempotency.payload(), 0, true, 0, 0, now, answer, expires));
  }

  /** Stores what changed. */
  void write(WriteTransaction transaction) {
    transaction.removeIds(expired);
    transaction.putIds(added.values());
  }
}
