package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ranks as a commit is going to leave them, before it is made. Redis says, as of the line the
 * commit starts from, how many stand before each new place and where the changed users stood; what
 * the commit itself takes away and puts in between is counted here. Belongs to one thread.
 */
final class Preview implements Ranking {
  private final RedisSeason season;
  private final UserDictionary users;
  private final Order order;
  private final long line;
  private final Map<Integer, RankIndex.Change> changes = new HashMap<>();

  /** As of the line before. */
  private final Facts before;

  /** Places that the commit empties and fills, each sorted. */
  private final byte[][] emptied;

  private final byte[][] filled;

  private Preview(
      RedisSeason season,
      UserDictionary users,
      long line,
      List<RankIndex.Change> changes,
      Facts before) {
    this.season = season;
    this.users = users;
    this.order = season.board.order();
    this.line = line;
    this.before = before;
    List<byte[]> old = new ArrayList<>();
    List<byte[]> fresh = new ArrayList<>();
    for (RankIndex.Change change : changes) {
      this.changes.put(change.user(), change);
      Need.Standing stood = before.get(new Need.OfUser(change.user()), Need.Standing.class);
      byte[] id = Members.id(users, change.user());
      if (stood != null && stood.position() >= 0) {
        old.add(Members.member(order, stood.score(), stood.reached(), id));
      }
      if (change.present()) {
        fresh.add(Members.member(order, change.score(), change.reached(), id));
      }
    }
    emptied = sorted(old);
    filled = sorted(fresh);
  }

  /** Null if Redis does not stand at this line, or does not answer. Blocks for a moment. */
  static @Nullable Preview of(
      RedisSeason season,
      UserDictionary users,
      long from,
      long to,
      List<RankIndex.Change> changes) {
    Set<Need> needs = new LinkedHashSet<>();
    for (RankIndex.Change change : changes) {
      needs.add(new Need.OfUser(change.user()));
      if (change.present()) {
        needs.add(place(season.board, change.score(), change.reached(), change.user()));
      }
    }
    Facts found = from == 0 ? nothing(needs) : season.ask(needs).join();
    return found == null || found.line() != from
        ? null
        : new Preview(season, users, to, changes, found);
  }

  /** No line has touched the season: nobody stands anywhere. */
  private static Facts nothing(Set<Need> needs) {
    Map<Need, Object> known = new HashMap<>();
    for (Need need : needs) {
      known.put(need, need instanceof Need.OfUser ? Need.Standing.NONE : (Object) 0L);
    }
    return new Facts(0, 0, known);
  }

  /** What tells a place's rank: all before it, or those with a better score. */
  private static Need place(Board board, long score, long reached, int user) {
    return board.ties() == Ties.SHARED
        ? new Need.Better(score)
        : new Need.UpTo(score, reached, user);
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public long size() {
    return before.size() - emptied.length + filled.length;
  }

  @Override
  public @Nullable Row row(int user) {
    RankIndex.Change change = changes.get(user);
    if (change != null) {
      if (!change.present()) {
        return null;
      }
      Need place = place(season.board, change.score(), change.reached(), user);
      Long count = before.get(place, Long.class);
      Need.Standing stood = before.get(new Need.OfUser(user), Need.Standing.class);
      if (count == null || stood == null) {
        return null;
      }
      // At or before the place; the user may have stood on it already.
      boolean same =
          place instanceof Need.UpTo
              && stood.position() >= 0
              && stood.score() == change.score()
              && stood.reached() == change.reached();
      return row(
          user, change.score(), change.reached(), change.hasMetadata(), count - (same ? 1 : 0));
    }
    Facts now = season.ask(List.of(new Need.OfUser(user))).join();
    Need.Standing stands =
        now == null || now.line() != before.line()
            ? null
            : now.get(new Need.OfUser(user), Need.Standing.class);
    return stands == null || stands.position() < 0
        ? null
        : row(user, stands.score(), stands.reached(), stands.hasMetadata(), stands.rank() - 1);
  }

  private Row row(int user, long score, long reached, boolean hasMetadata, long ahead) {
    byte[] bound =
        season.board.ties() == Ties.SHARED
            ? Members.before(order, score)
            : Members.member(order, score, reached, Members.id(users, user));
    long rank = 1 + ahead - below(emptied, bound) + below(filled, bound);
    return new Row(rank, user, score, reached, hasMetadata);
  }

  private static byte[][] sorted(List<byte[]> members) {
    byte[][] all = members.toArray(byte[][]::new);
    Arrays.sort(all, Arrays::compareUnsigned);
    return all;
  }

  private static int below(byte[][] members, byte[] bound) {
    int found = Arrays.binarySearch(members, bound, Arrays::compareUnsigned);
    return found < 0 ? ~found : found;
  }

  @Override
  public long position(int user) {
    throw unknown();
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    throw unknown();
  }

  @Override
  public long countUpTo(long score, long reached, int user) {
    throw unknown();
  }

  @Override
  public long better(long score) {
    throw unknown();
  }

  private static UnsupportedOperationException unknown() {
    return new UnsupportedOperationException("a preview knows the rows of single users only");
  }
}
