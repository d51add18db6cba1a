package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries that one batch meets: as the store has them, and as the batch leaves them. Belongs to
 * one thread.
 */
final class BatchEntries {
  private final ReadTransaction tx;
  private final Map<Slot, State> states = new LinkedHashMap<>();
  private final Map<Long, Touched> touched = new LinkedHashMap<>();

  /** One season's part of the commit. */
  record Move(Board board, Season season, long line, List<RankIndex.Change> changes) {}

  private record Slot(long season, int user) {}

  private record Touched(Board board, Season season, long line) {}

  /** An entry before the batch and now. */
  private static final class State {
    final @Nullable Entry before;
    @Nullable Entry now;
    boolean touched;

    State(@Nullable Entry before) {
      this.before = before;
      this.now = before;
    }
  }

  /** Reads, in few statements, the entries that are wanted by season; others are read when met. */
  BatchEntries(ReadTransaction tx, Map<Long, Set<Integer>> wanted) {
    this.tx = tx;
    wanted.forEach(
        (season, users) -> {
          int[] asked = users.stream().mapToInt(Integer::intValue).sorted().toArray();
          List<@Nullable Entry> found = tx.entries(season, asked);
          for (int i = 0; i < asked.length; i++) {
            states.put(new Slot(season, asked[i]), new State(found.get(i)));
          }
        });
  }

  /** As the batch has left it so far; a tombstone is returned as such. */
  @Nullable Entry get(Season season, int user) {
    return state(season, user).now;
  }

  /** The same, but without tombstones. */
  boolean has(Season season, int user) {
    Entry entry = get(season, user);
    return entry != null && !entry.deleted();
  }

  void put(Board board, Season season, int user, Entry entry, long line) {
    State state = state(season, user);
    state.now = entry;
    state.touched = true;
    touched.put(season.id(), new Touched(board, season, line));
  }

  private State state(Season season, int user) {
    Slot slot = new Slot(season.id(), user);
    State state = states.get(slot);
    if (state == null) {
      state = new State(tx.entries(season.id(), new int[] {user}).getFirst());
      states.put(slot, state);
    }
    return state;
  }

  /** Stores what changed, and tells how each season moves. */
  List<Move> write(WriteTransaction transaction) {
    List<WriteTransaction.EntryWrite> writes = new ArrayList<>(states.size());
    Map<Long, List<RankIndex.Change>> changes = new HashMap<>();
    states.forEach(
        (slot, state) -> {
          Entry entry = state.now;
          if (entry != null && state.touched) {
            writes.add(new WriteTransaction.EntryWrite(slot.season(), slot.user(), entry));
            if (isVisible(state.before, entry)) {
              changes
                  .computeIfAbsent(slot.season(), s -> new ArrayList<>())
                  .add(
                      new RankIndex.Change(
                          slot.user(),
                          !entry.deleted(),
                          entry.score(),
                          entry.reached(),
                          entry.metadata() != null));
            }
          }
        });
    transaction.putEntries(writes);
    List<Move> moves = new ArrayList<>(touched.size());
    touched.forEach(
        (season, t) ->
            moves.add(
                new Move(
                    t.board(), t.season(), t.line(), changes.getOrDefault(season, List.of()))));
    return moves;
  }

  /** Whether readers of ranks can tell the two apart. */
  private static boolean isVisible(@Nullable Entry before, Entry after) {
    return before == null
        || before.deleted() != after.deleted()
        || before.score() != after.score()
        || before.reached() != after.reached()
        || (before.metadata() != null) != (after.metadata() != null);
  }
}
