package dev.laurel.core.query;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of scores that was read lately, up to a number of bytes. Each is that of one submission,
 * told by score and time, and of one id: a user who was erased has another. Thread-safe.
 */
public final class KeptMetadata implements RememberedStore.Part {
  private static final long MOST_BYTES = 8 << 20;

  private final LongSupplier nanos;

  /** Least recently used first. Guarded by itself, as is the sum of their bytes. */
  private final LinkedHashMap<Key, Kept> kept = new LinkedHashMap<>(64, 0.75f, true);

  private long bytes;
  private volatile boolean empty = true;

  private record Key(long season, int user) {}

  private record Kept(String userId, long score, long reached, String json, long readAt) {
    long bytes() {
      return 160 + 2L * (userId.length() + json.length());
    }

    boolean isOf(String id, Ranking.Row row) {
      return userId.equals(id) && score == row.score() && reached == row.reached();
    }
  }

  /**
   * @param nanos a clock that never goes back
   */
  public KeptMetadata(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The same numbers are other seasons and users there. */
  @Override
  public void enter(ReadTransaction tx) {
    synchronized (kept) {
      kept.clear();
      bytes = 0;
      empty = true;
    }
  }

  /** Null if there is none that was read within so many nanoseconds. */
  @Nullable String find(Season season, String userId, Ranking.Row row, long atMostNanos) {
    synchronized (kept) {
      Kept known = kept.get(new Key(season.id(), row.user()));
      return known != null
              && known.isOf(userId, row)
              && nanos.getAsLong() - known.readAt <= atMostNanos
          ? known.json
          : null;
    }
  }

  void put(Season season, String userId, Ranking.Row row, String json) {
    Kept fresh = new Kept(userId, row.score(), row.reached(), json, nanos.getAsLong());
    synchronized (kept) {
      Kept before = kept.put(new Key(season.id(), row.user()), fresh);
      bytes += fresh.bytes() - (before == null ? 0 : before.bytes());
      var eldest = kept.entrySet().iterator();
      while (bytes > MOST_BYTES && eldest.hasNext()) {
        Map.Entry<Key, Kept> oldest = eldest.next();
        bytes -= oldest.getValue().bytes();
        eldest.remove();
      }
      empty = kept.isEmpty();
    }
  }

  /**
   * After a commit of this node: the same score at the same time may have come with other metadata.
   */
  public void changed(Board board, Season season, long line, List<RankIndex.Change> changes) {
    if (empty) {
      return;
    }
    synchronized (kept) {
      for (RankIndex.Change change : changes) {
        Kept before = kept.remove(new Key(season.id(), change.user()));
        bytes -= before == null ? 0 : before.bytes();
      }
      empty = kept.isEmpty();
    }
  }
}
