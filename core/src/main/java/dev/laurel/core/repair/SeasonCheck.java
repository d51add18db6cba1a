package dev.laurel.core.repair;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.core.rank.Place;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares a season in the index with the store, in chunks, while others read and write both. For
 * one check, on one thread that may wait.
 *
 * <p>Every row of the index is looked at in its order, and compared with the entry in the store
 * ({@link Tally}); then the counts are compared at one line, which tells of entries that the index
 * lacks, and only if they differ the store is read as a whole to name one. Whether an entry has
 * metadata is not compared.
 */
final class SeasonCheck {
  private static final int TRIES = 50;

  /** Before a look at what moved at the last one, and at an index that did not answer. */
  private static final long MOVED_NANOS = 2_000_000;

  private static final long AWAY_NANOS = 20_000_000;
  private static final Checked.NoAnswer NO_ANSWER =
      new Checked.NoAnswer("the index does not answer");

  private final Store store;
  private final RankIndex index;
  private final Users users;
  private final Board board;
  private final Season season;
  private final Order order;
  private final Tally tally;

  SeasonCheck(Store store, RankIndex index, Users users, Board board, Season season) {
    this.store = store;
    this.index = index;
    this.users = users;
    this.board = board;
    this.season = season;
    this.order = board.order();
    this.tally = newTally();
  }

  private Tally newTally() {
    return new Tally(store, users, board, season);
  }

  /** How many entries were compared. */
  long compared() {
    return tally.compared();
  }

  /** The whole season. */
  Checked all(Progress progress) {
    if (!walk(progress)) {
      return NO_ANSWER;
    }
    Counts counts = count();
    if (counts == null) {
      return NO_ANSWER;
    }
    if (counts.differ() && tally.first() == null) {
      findMissing();
    }
    return outcome(counts);
  }

  /** Only these users. */
  Checked some(int[] who) {
    return compare(tally, who) ? outcome(new Counts(tally.stored(), tally.stored())) : NO_ANSWER;
  }

  private Checked outcome(Counts counts) {
    if (tally.first() == null && !counts.differ()) {
      return new Checked.Equal(new Checked.Side(counts.stored, tally.storeSum()));
    }
    Difference first = tally.first();
    if (first != null && first.kind() != Difference.Kind.MISPLACED) {
      // Once more from the beginning, as a new epoch may have begun in between.
      index.catchUp(board, season);
      Tally again = newTally();
      if (!compare(again, tally.different().toArray())) {
        return NO_ANSWER;
      }
      first = again.first();
      if (first == null && !counts.differ()) {
        return new Checked.Equal(new Checked.Side(counts.stored, tally.storeSum()));
      }
    }
    return new Checked.Drift(
        new Checked.Side(counts.stored, tally.storeSum()),
        new Checked.Side(counts.held, tally.indexSum()),
        first);
  }

  // --- row by row

  /** Everything that the index holds, in its order. */
  private boolean walk(Progress progress) {
    UserDictionary ids = users.followNow(board.tenant());
    HeldPage page = null;
    do {
      HeldPage before = page;
      page = ask(ranking -> HeldPage.read(ranking, order, ids, before));
      if (page == null) {
        return false;
      }
      tally.compare(page.held());
      if (page.misplaced() >= 0) {
        misplaced(page.held(), page.misplaced(), ids);
        return true; // nothing after it can be relied on
      }
      progress.at(Math.min(page.size(), page.offset() + page.held().users().length), page.size());
      if (tally.moved() >= HeldPage.ROWS && !settle(tally)) {
        return false;
      }
    } while (!page.isEnd());
    return settle(tally);
  }

  private void misplaced(Held held, int at, UserDictionary ids) {
    int user = held.users()[at];
    Difference.Value value = new Difference.Value(held.scores()[at], held.reached()[at]);
    tally.differs(user, new Difference(ids.id(user), value, value));
  }

  private boolean compare(Tally into, int[] who) {
    for (int from = 0; from < who.length; from += HeldPage.ROWS) {
      int[] some = Arrays.copyOfRange(who, from, Math.min(who.length, from + HeldPage.ROWS));
      Held held = ask(ranking -> Held.of(ranking, order, some));
      if (held == null) {
        return false;
      }
      into.compare(held);
    }
    return settle(into);
  }

  /**
   * Looks again at those who were written to meanwhile. Who is written to at every look is left
   * out: the next check will meet somebody else.
   */
  private boolean settle(Tally of) {
    for (int i = 0; i < TRIES && of.moved() > 0; i++) {
      int[] moved = of.takeMoved();
      Held held = ask(ranking -> Held.of(ranking, order, moved));
      if (held == null) {
        return false;
      }
      of.compare(held);
      if (of.moved() > 0) {
        pause(MOVED_NANOS);
      }
    }
    of.takeMoved();
    return true;
  }

  // --- by their number

  /** How many entries there are, of those that the index should hold. */
  private record Counts(long stored, long held) {
    boolean differ() {
      return stored != held;
    }
  }

  /** At one line. Null if the index does not answer. */
  private @Nullable Counts count() {
    UserDictionary ids = users.of(board.tenant());
    for (int i = 0; i < TRIES; i++) {
      record Size(long line, long size, @Nullable Place floor) {}
      Size held = ask(r -> new Size(r.line(), r.size(), Held.floor(r, order)));
      if (held == null) {
        return null;
      }
      Counts counts =
          store.read(
              tx ->
                  tx.position(season.id()) == held.line
                      ? new Counts(stored(tx.ranks(), held.floor, ids), held.size)
                      : null);
      if (counts != null) {
        return counts;
      }
      pause(MOVED_NANOS);
    }
    // It is written to at every look: so the store's entries are looked for one by one.
    findMissing();
    return new Counts(tally.stored(), tally.stored());
  }

  private long stored(RankReads ranks, @Nullable Place floor, UserDictionary ids) {
    return floor == null
        ? ranks.count(season.id())
        : 1
            + ranks.countBefore(
                season.id(),
                order,
                new RankReads.Place(
                    order.score(floor.key()), floor.reached(), ids.id(floor.user())));
  }

  /** Reads all of the store's entries, and stops to look for more when there are enough. */
  private void findMissing() {
    int[] candidates =
        store.read(
            tx -> {
              Missing missing = new Missing(users.follow(tx, board.tenant()));
              tx.entries(season.id(), missing);
              missing.look();
              return Arrays.copyOf(missing.found, missing.count);
            });
    compare(tally, candidates);
  }

  /** Takes entries in chunks, and keeps those users whom the index does not hold. */
  private final class Missing implements ReadTransaction.EntryConsumer {
    private final int[] found = new int[HeldPage.ROWS];
    private final List<Place> chunk = new ArrayList<>(HeldPage.ROWS);
    private final UserDictionary ids;
    private int count;

    Missing(UserDictionary ids) {
      this.ids = ids;
    }

    @Override
    public void accept(int user, long score, long reached, boolean hasMetadata) {
      if (count < found.length) {
        chunk.add(new Place(order.key(score), reached, user));
        if (chunk.size() == HeldPage.ROWS) {
          look();
        }
      }
    }

    void look() {
      int[] asked = chunk.stream().mapToInt(Place::user).toArray();
      Held held = ask(ranking -> Held.of(ranking, order, asked));
      for (int i = 0; held != null && i < asked.length && count < found.length; i++) {
        if (!held.has(i) && !held.isBeyond(chunk.get(i), ids)) {
          found[count++] = asked[i];
        }
      }
      chunk.clear();
    }
  }

  // --- asking the index

  /** Null if it cannot answer for longer than it takes to catch up. */
  private <T> @Nullable T ask(Function<Ranking, T> question) {
    for (int i = 0; i < TRIES; i++) {
      Ranking ranking = index.original(board, season);
      while (ranking != null) {
        try {
          return question.apply(ranking);
        } catch (NotFetchedException e) {
          ranking = e.fetch().join();
        }
      }
      pause(AWAY_NANOS);
    }
    return null;
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }
}
