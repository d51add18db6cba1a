package dev.laurel.core.repair;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.Place;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares users one by one, while both sides move.
 *
 * <p>The index is read first, at line n. What the store has of a user after that counts only if the
 * user's last line is not after n: then both are the same moment's, and a difference is one. Who
 * was written to since is looked at again later. So no two sides have to stand still together.
 */
final class Tally {
  /** Of more than this many, the others are as wrong as these. */
  private static final int KEPT = HeldPage.ROWS;

  private final Store store;
  private final Users users;
  private final Board board;
  private final Season season;

  private final List<Integer> different = new ArrayList<>();
  private @Nullable Difference first;
  private List<Integer> moved = new ArrayList<>();
  private long compared;
  private long stored;
  private long storeSum;
  private long indexSum;

  Tally(Store store, Users users, Board board, Season season) {
    this.store = store;
    this.users = users;
    this.board = board;
    this.season = season;
  }

  void compare(Held held) {
    UserDictionary[] ids = new UserDictionary[1];
    List<@Nullable Entry> entries =
        store.read(
            tx -> {
              ids[0] = users.follow(tx, board.tenant());
              return tx.entries(season.id(), held.users());
            });
    for (int i = 0; i < held.users().length; i++) {
      compare(held, i, entries.get(i), ids[0]);
    }
  }

  private void compare(Held held, int at, @Nullable Entry found, UserDictionary ids) {
    int user = held.users()[at];
    Entry entry = found == null || found.deleted() ? null : found;
    Difference.Value inIndex =
        held.has(at) ? new Difference.Value(held.scores()[at], held.reached()[at]) : null;
    Difference.Value inStore =
        entry == null || (inIndex == null && held.isBeyond(place(entry, user), ids))
            ? null
            : new Difference.Value(entry.score(), entry.reached());
    boolean same = inStore == null ? inIndex == null : inStore.equals(inIndex);
    if (!same && found != null && found.last() > held.line()) {
      moved.add(user);
      return;
    }
    compared++;
    stored += inStore == null ? 0 : 1;
    storeSum += hash(user, inStore);
    indexSum += hash(user, inIndex);
    if (!same) {
      differs(user, new Difference(ids.id(user), inStore, inIndex));
    }
  }

  private Place place(Entry entry, int user) {
    return new Place(board.order().key(entry.score()), entry.reached(), user);
  }

  void differs(int user, Difference difference) {
    if (first == null) {
      first = difference;
    }
    if (different.size() < KEPT) {
      different.add(user);
    }
  }

  /** Added up, so whatever the order; mixed well, so that no two errors cancel out by chance. */
  private static long hash(int user, Difference.@Nullable Value value) {
    return value == null ? 0 : mix(mix(mix(user) ^ value.score()) ^ value.reached());
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long number) {
    long z = number + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Those who were written to since the index was read; from now on they are forgotten here. */
  int[] takeMoved() {
    int[] taken = moved.stream().mapToInt(Integer::intValue).toArray();
    moved = new ArrayList<>();
    return taken;
  }

  int moved() {
    return moved.size();
  }

  /** The first of those who differ. */
  IntStream different() {
    return different.stream().mapToInt(Integer::intValue);
  }

  @Nullable Difference first() {
    return first;
  }

  long compared() {
    return compared;
  }

  /** How many of them the store has, of those that the index should hold. */
  long stored() {
    return stored;
  }

  long storeSum() {
    return storeSum;
  }

  long indexSum() {
    return indexSum;
  }
}
