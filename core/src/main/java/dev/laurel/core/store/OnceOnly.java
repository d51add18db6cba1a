package dev.laurel.core.store;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes of the configuration that happen once a key: the answer is kept in the same transaction,
 * and a retry gets it. (Scores have the same promise through the pipeline, in groups.)
 */
public final class OnceOnly {
  private OnceOnly() {}

  /**
   * @param caller keys of different callers have nothing to do with each other
   * @param payload names what was asked, to tell a retry from a reuse
   */
  public record Key(String caller, String key, Digest payload) {}

  /** What to answer, and whether it is a repeated answer. */
  public record Answer(byte[] body, boolean replayed) {}

  public static Answer run(
      Store store, @Nullable Key key, long now, Store.Work<WriteTransaction, byte[]> work) {
    if (key == null) {
      return new Answer(store.write(work), false);
    }
    StoredId.Name name = new StoredId.Name(0, Digest.of("key", key.caller(), key.key()));
    return store.write(
        tx -> {
          // The lock makes two retries at once take turns.
          tx.lockShard(0);
          StoredId used = tx.ids(List.of(name)).get(name);
          if (used != null) {
            byte[] answer = used.answer();
            if (!used.payload().equals(key.payload()) || answer == null) {
              throw Rejection.expectation(
                      ErrorCode.IDEMPOTENCY_CONFLICT,
                      "Idempotency-Key",
                      key.key(),
                      "a new key for a new payload; this one was used for another")
                  .asException();
            }
            return new Answer(answer, true);
          }
          byte[] body = work.in(tx);
          tx.putIds(List.of(new StoredId(0, name.key(), key.payload(), 0, true, 0, 0, now, body)));
          return new Answer(body, false);
        });
  }
}
