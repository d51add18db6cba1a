package dev.laurel.core.events;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.hooks.Webhooks;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Webhook;
import dev.laurel.core.store.WriteTransaction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Writes a delivery for each award and webhook that asked for {@value #EVENT}. It follows the
 * ledger, so the path of an award pays nothing for it; the deliveries and how far it came are one
 * transaction under the shard's lock, so each is written once, whichever node does it. {@link
 * #turn} belongs to one thread.
 */
public final class AwardHooks {
  public static final String EVENT = Webhooks.AWARD_RECORDED;

  /** Lines of one transaction. */
  private static final int CHUNK = 500;

  /** Where it begins when somebody asks for the first time: later than the webhook, or before. */
  private static final long FIRST_LINES = 10_000;

  private static final Digest STREAM = Digest.of("stream", EVENT);

  private final Store store;
  private final ChangeReader reader;
  private final Function<Change, String> encoder;

  /** Up to which line nothing is left to do in each shard, as far as this node knows. */
  private final long[] done;

  private long epoch;

  public AwardHooks(
      Store store, BoardDirectory directory, Users users, Function<Change, String> encoder) {
    this.store = store;
    this.reader = new ChangeReader(directory, users);
    this.encoder = encoder;
    this.done = new long[store.shards()];
  }

  /**
   * Does what there is to do. As long as nobody asked, or nothing was written, that is one look at
   * the store, however many tenants and shards it has.
   */
  public void turn(BooleanSupplier stop) {
    Look look =
        store.read(
            tx -> new Look(!tx.outbox().asking(EVENT).isEmpty(), tx.epoch(), tx.lastLines()));
    if (look.epoch != epoch) {
      // The same number may be another line now.
      Arrays.fill(done, 0);
      epoch = look.epoch;
    }
    for (int shard = 0; look.asked && shard < look.last.length; shard++) {
      int each = shard;
      if (look.last[each] == done[each]) {
        continue;
      }
      boolean more = store.read(tx -> isBehind(tx, each));
      while (more && !stop.getAsBoolean()) {
        more = store.write(tx -> follow(tx, each));
      }
      if (!more) {
        done[each] = look.last[each];
      }
    }
  }

  private record Look(boolean asked, long epoch, long[] last) {}

  private static boolean isBehind(ReadTransaction tx, int shard) {
    return position(tx, shard) < tx.lastLines()[shard];
  }

  private static long position(ReadTransaction tx, int shard) {
    SourcePartition own = SourcePartition.published(STREAM, shard);
    Long known = tx.offsets(Set.of(own)).get(own);
    return known != null
        ? known
        : Math.max(tx.firstLine(shard) - 1, tx.lastLines()[shard] - FIRST_LINES);
  }

  /** Whether there is more. */
  private boolean follow(WriteTransaction tx, int shard) {
    tx.lockShard(shard);
    List<Webhook> asking = tx.outbox().asking(EVENT);
    List<Change> changes = reader.read(tx, shard, position(tx, shard), CHUNK);
    if (changes.isEmpty()) {
      return false;
    }
    for (Change change : changes) {
      if (change.award() != null) {
        asking.stream().filter(w -> wants(w, change)).forEach(w -> add(tx, w, change));
      }
    }
    long last = changes.getLast().line().line();
    tx.moveOffsets(Map.of(SourcePartition.published(STREAM, shard), last));
    return changes.size() == CHUNK;
  }

  /** What was awarded before somebody asked is not sent. */
  private static boolean wants(Webhook webhook, Change change) {
    return webhook.tenant() == change.board().tenant()
        && change.line().at() >= webhook.createdAt()
        && (webhook.board() == null || webhook.board().equals(change.board().uuid()));
  }

  private void add(WriteTransaction tx, Webhook webhook, Change change) {
    tx.outbox().add(Delivery.of(webhook, change.awardId(), EVENT, encoder.apply(change), tx.now()));
  }
}
