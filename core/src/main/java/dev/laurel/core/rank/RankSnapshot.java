package dev.laurel.core.rank;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one season in memory, at one ledger line: the {@link Ranking} of the local index.
 *
 * <p>Immutable, so safe for any number of threads; readers never wait and never see half a batch.
 * The next snapshot comes from {@link #edit}, the first from {@link #builder} or {@link #empty}.
 */
public final class RankSnapshot implements Ranking {
  /*
   * A tree that knows who stands at a place and a table that knows where a user stands. Both are
   * persistent and are replaced together, so an answer never mixes two states. What two snapshots
   * share they share for good: an old one stays valid as long as somebody holds it, and is garbage
   * after.
   */

  /** No two edits have the same number, whatever they edit; 0 is nobody's. */
  private static final AtomicLong EDITS = new AtomicLong();

  private final RankTree tree;
  private final UserTable table;
  private final IdOrder ids;
  private final Order order;
  private final Ties ties;
  private final long line;

  /** Null for a season that is held whole, whatever its size. */
  private final @Nullable Cap cap;

  private RankSnapshot(
      RankTree tree,
      UserTable table,
      IdOrder ids,
      Order order,
      Ties ties,
      @Nullable Cap cap,
      long line) {
    this.tree = tree;
    this.table = table;
    this.ids = ids;
    this.order = order;
    this.ties = ties;
    this.cap = cap;
    this.line = line;
  }

  /** A season in which nothing has happened, at line 0. */
  public static RankSnapshot empty(Order order, Ties ties, UserDictionary ids) {
    return empty(order, ties, ids, 0);
  }

  /**
   * @param capacity how many places it has to know; 0 for all
   */
  static RankSnapshot empty(Order order, Ties ties, UserDictionary ids, int capacity) {
    Cap cap = capacity == 0 ? null : new Cap(capacity, null);
    return new RankSnapshot(RankTree.EMPTY, UserTable.EMPTY, ids.order(), order, ties, cap, 0);
  }

  /** For a season that is loaded as a whole. */
  public static Builder builder(Order order, Ties ties, UserDictionary ids) {
    return new Builder(order, ties, ids.order());
  }

  /** The next snapshot, from this one. */
  public Editor edit() {
    return new Editor(this);
  }

  public Order order() {
    return order;
  }

  public Ties ties() {
    return ties;
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public long size() {
    return tree.size();
  }

  @Override
  public boolean isFixed() {
    return true;
  }

  /** How many places it has to know; 0 for all. */
  int capacity() {
    return cap == null ? 0 : cap.places();
  }

  /** Whether so many dropped out that one who is not held may have a place now. */
  boolean isShort() {
    return cap != null && cap.floor() != null && size() < cap.places();
  }

  boolean isTooLarge() {
    return cap != null && size() > cap.limit();
  }

  /** The same state without those far from any place; itself if there are none. */
  RankSnapshot trimmed() {
    if (cap == null || size() <= cap.kept()) {
      return this;
    }
    Builder best = new Builder(order, ties, ids);
    tree.page(
        0,
        cap.kept(),
        order,
        ties,
        (rank, user, score, reached) -> {
          long[] page = table.page(user);
          best.add(user, score, reached, page != null && UserTable.hasMetadata(page, user));
        });
    return best.build(new Cap(cap.places(), best.last()), line);
  }

  /**
   * The same state in the order of the ids of today; itself if that is its order. Null if it has to
   * be built anew.
   */
  @Nullable RankSnapshot reordered() {
    if (ids.isLatest()) {
      return this;
    }
    IdOrder latest = ids.latest();
    int[] renamed = ids.renamedUntil(latest);
    Editor others = edit();
    for (int user : renamed) {
      others.remove(user);
    }
    Cap cut = others.cap(renamed);
    if (cut == null && cap != null) {
      return null;
    }
    // Without those who were renamed both orders are the same.
    Editor all =
        new RankSnapshot(others.tree.tree(), others.table.table(), latest, order, ties, cut, line)
            .edit();
    for (int user : renamed) {
      long[] page = table.page(user);
      int at = UserTable.slot(page, user);
      if (page != null && at >= 0) {
        all.put(user, page[at], page[at + 1], UserTable.hasMetadata(page, user));
      }
    }
    RankSnapshot reordered = all.build(line);
    return reordered.isShort() ? null : reordered;
  }

  @Override
  public boolean knows(int user) {
    return cap == null || cap.floor() == null || UserTable.slot(table.page(user), user) >= 0;
  }

  @Override
  public @Nullable Row row(int user) {
    long[] page = table.page(user);
    int at = UserTable.slot(page, user);
    if (page == null || at < 0) {
      return null;
    }
    long score = page[at];
    long reached = page[at + 1];
    long rank = tree.rank(ties, order.key(score), reached, user, ids);
    return new Row(rank, user, score, reached, UserTable.hasMetadata(page, user));
  }

  /** The user's rank, without an object; 0 if the user has no entry. */
  public long rank(int user) {
    long[] page = table.page(user);
    int at = UserTable.slot(page, user);
    return page == null || at < 0
        ? 0
        : tree.rank(ties, order.key(page[at]), page[at + 1], user, ids);
  }

  @Override
  public long position(int user) {
    long[] page = table.page(user);
    int at = UserTable.slot(page, user);
    return page == null || at < 0 ? -1 : tree.before(order.key(page[at]), page[at + 1], user, ids);
  }

  /** Faster than one by one, because the look-ups wait for memory together. */
  @Override
  public void ranks(int[] users, int count, long[] rank, long[] score, long[] reached) {
    GroupedRanks.ranks(tree, table, ids, order, ties, users, count, rank, score, reached);
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "offset: " + offset + ", limit: " + limit + " (expected: 0 or more)");
    }
    tree.page(offset, limit, order, ties, sink);
  }

  /** All rows, from the best to the worst. */
  public void forEach(RowSink sink) {
    tree.page(0, Integer.MAX_VALUE, order, ties, sink);
  }

  /**
   * @throws IllegalArgumentException if the user is not in the dictionary
   */
  @Override
  public long countUpTo(long score, long reached, int user) {
    requireKnown(user, ids);
    return tree.upTo(order.key(score), reached, user, ids);
  }

  @Override
  public long better(long score) {
    return tree.below(order.key(score));
  }

  /** Throws if the snapshot does not fit together. For tests. */
  void checkInvariants() {
    tree.checkInvariants(ids);
    forEach(
        (rank, user, score, reached) -> {
          Row row = row(user);
          if (!(row != null && row.score() == score && row.reached() == reached)) {
            throw new AssertionError("user " + user + " has " + row + " in the table");
          }
        });
  }

  private static void requireKnown(int user, IdOrder ids) {
    if (user < 1 || user > ids.size()) {
      throw new IllegalArgumentException("user: " + user + " (expected: 1.." + ids.size() + ")");
    }
  }

  /**
   * A batch of changes. What it makes is seen by nobody until {@link #build}; the snapshot it began
   * with is not changed.
   *
   * <p>For one thread, and for one batch: after build it refuses everything.
   */
  public static final class Editor {
    private final RankSnapshot from;
    private final TreeEditor tree;
    private final UserTable.Editor table;
    private boolean built;

    private Editor(RankSnapshot from) {
      long number = EDITS.incrementAndGet();
      this.from = from;
      this.tree = new TreeEditor(from.tree, from.ids, number);
      this.table = new UserTable.Editor(from.table, number);
    }

    /** Gives the user this row, in place of any other. */
    public void put(int user, long score, long reached, boolean hasMetadata) {
      requireAlive();
      requireKnown(user, from.ids);
      if (from.cap != null && !from.cap.holds(from.order.key(score), reached, user, from.ids)) {
        remove(user);
        return;
      }
      long[] page = table.page(user);
      int at = UserTable.slot(page, user);
      if (page == null || at < 0) {
        tree.insert(from.order.key(score), reached, user);
      } else if (page[at] != score || page[at + 1] != reached) {
        tree.remove(from.order.key(page[at]), page[at + 1], user);
        tree.insert(from.order.key(score), reached, user);
      } else if (UserTable.hasMetadata(page, user) == hasMetadata) {
        return;
      }
      table.put(user, score, reached, hasMetadata);
    }

    /** Takes the user's row out; false if there is none. */
    public boolean remove(int user) {
      requireAlive();
      long[] page = table.page(user);
      int at = UserTable.slot(page, user);
      if (page == null || at < 0) {
        return false;
      }
      tree.remove(from.order.key(page[at]), page[at + 1], user);
      table.remove(user);
      return true;
    }

    boolean isTooLarge() {
      return from.cap != null && tree.size() > from.cap.limit();
    }

    /** With a floor that is none of these users, who have been removed; null if nobody is left. */
    private @Nullable Cap cap(int[] removed) {
      Cap cap = from.cap;
      Place floor = cap == null ? null : cap.floor();
      if (floor == null || Arrays.stream(removed).noneMatch(user -> user == floor.user())) {
        return cap;
      }
      Place[] last = new Place[1];
      tree.tree()
          .page(
              tree.size() - 1,
              1,
              from.order,
              from.ties,
              (rank, user, score, reached) ->
                  last[0] = new Place(from.order.key(score), reached, user));
      return cap == null || last[0] == null ? null : new Cap(cap.places(), last[0]);
    }

    /** The snapshot with all changes. */
    public RankSnapshot build(long line) {
      requireAlive();
      built = true;
      return new RankSnapshot(
          tree.tree(), table.table(), from.ids, from.order, from.ties, from.cap, line);
    }

    private void requireAlive() {
      if (built) {
        throw new IllegalStateException("this editor has built its snapshot");
      }
    }
  }

  /**
   * Takes all rows of a season, in any order (in rank order it is fastest), each user once.
   *
   * <p>For one thread, and for one snapshot.
   */
  public static final class Builder {
    private final Order order;
    private final Ties ties;
    private final IdOrder ids;
    private final long number = EDITS.incrementAndGet();
    private final UserTable.Editor table = new UserTable.Editor(UserTable.EMPTY, number);
    private long[] keys = new long[16];
    private long[] reached = new long[16];
    private int[] users = new int[16];
    private int count;
    private boolean built;

    private Builder(Order order, Ties ties, IdOrder ids) {
      this.order = order;
      this.ties = ties;
      this.ids = ids;
    }

    /**
     * @throws IllegalArgumentException if the user has a row already, or is not in the dictionary
     */
    public Builder add(int user, long score, long reachedAt, boolean hasMetadata) {
      requireAlive();
      requireKnown(user, ids);
      if (UserTable.slot(table.page(user), user) >= 0) {
        throw new IllegalArgumentException("user: " + user + " (expected: each user once)");
      }
      if (count == keys.length) {
        int capacity = count + (count >> 1);
        keys = Arrays.copyOf(keys, capacity);
        reached = Arrays.copyOf(reached, capacity);
        users = Arrays.copyOf(users, capacity);
      }
      table.put(user, score, reachedAt, hasMetadata);
      keys[count] = order.key(score);
      reached[count] = reachedAt;
      users[count++] = user;
      return this;
    }

    /** Of rows that came in rank order. */
    private Place last() {
      return new Place(keys[count - 1], reached[count - 1], users[count - 1]);
    }

    public RankSnapshot build(long line) {
      return build(null, line);
    }

    private RankSnapshot build(@Nullable Cap cap, long line) {
      requireAlive();
      built = true;
      RankTree tree = new TreeBuilder(keys, reached, users, count, ids, number).build();
      return new RankSnapshot(tree, table.table(), ids, order, ties, cap, line);
    }

    private void requireAlive() {
      if (built) {
        throw new IllegalStateException("this builder has built its snapshot");
      }
    }
  }
}
