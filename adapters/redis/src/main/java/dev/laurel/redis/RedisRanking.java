package dev.laurel.redis;

import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.core.rank.Ranking;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A season in Redis as one question sees it: the facts that were fetched for it, all at one line.
 * What is missing is fetched, and the question is asked again ({@link NotFetchedException}). If the
 * season has moved meanwhile, everything the question has asked so far is fetched again, in one
 * call, so the answer is never mixed from two states. Immutable.
 */
final class RedisRanking implements Ranking {
  /** The head of a board: what everyone looks at, and fetched with the size. */
  static final Need.Page TOP = new Need.Page(0, 100);

  /** Longer pages are fetched in parts, so that no call holds Redis up for long. */
  private static final int PAGE = 1000;

  private static final int PAGES = 4;

  /** A board that moves at every look is asked of the store in the end. */
  private static final int MOVES = 8;

  private final RedisSeason season;
  private final @Nullable Facts facts;

  /** What this question has asked for so far, of all that the facts tell. */
  private final List<Need> asked;

  private final int moves;

  RedisRanking(RedisSeason season, @Nullable Facts facts) {
    this(season, facts, List.of(), 0);
  }

  private RedisRanking(RedisSeason season, @Nullable Facts facts, List<Need> asked, int moves) {
    this.season = season;
    this.facts = facts;
    this.asked = asked;
    this.moves = moves;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long line() {
    return any().line();
  }

  @Override
  public long size() {
    return any().size();
  }

  private Facts any() {
    Facts here = facts;
    if (here == null) {
      throw missing(List.of(TOP));
    }
    return here;
  }

  @Override
  public @Nullable Row row(int user) {
    if (user == 0) {
      return null;
    }
    Need.Standing found = known(new Need.OfUser(user), Need.Standing.class);
    return found.position() < 0
        ? null
        : new Row(found.rank(), user, found.score(), found.reached(), found.hasMetadata());
  }

  @Override
  public void ranks(int[] users, int count, long[] rank, long[] score, long[] reached) {
    List<Need> lacking = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rank[i] = 0;
      if (users[i] == 0) {
        continue;
      }
      Need need = new Need.OfUser(users[i]);
      Need.Standing found = facts == null ? null : facts.get(need, Need.Standing.class);
      if (found == null) {
        lacking.add(need);
      } else {
        rank[i] = found.rank();
        score[i] = found.score();
        reached[i] = found.reached();
      }
    }
    if (!lacking.isEmpty()) {
      throw missing(lacking);
    }
  }

  @Override
  public long position(int user) {
    return user == 0 ? -1 : known(new Need.OfUser(user), Need.Standing.class).position();
  }

  @Override
  public void page(long offset, int limit, RowSink sink) {
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "offset: " + offset + ", limit: " + limit + " (expected: 0 or more)");
    }
    long end = Math.min(size(), limit > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + limit);
    if (end <= TOP.limit()) {
      show(known(TOP, Need.Rows.class), 0, offset, end, sink);
      return;
    }
    // All of them before the first row is handed out: the sink must see each row once.
    List<Need> parts = new ArrayList<>();
    for (long from = offset; from < end; from += PAGE) {
      parts.add(new Need.Page(from, (int) Math.min(PAGE, end - from)));
    }
    List<Need> lacking = parts.stream().filter(part -> !any().known().containsKey(part)).toList();
    if (!lacking.isEmpty()) {
      throw missing(lacking.subList(0, Math.min(PAGES, lacking.size())));
    }
    long from = offset;
    for (Need part : parts) {
      Need.Rows rows = known(part, Need.Rows.class);
      show(rows, from, from, end, sink);
      from += rows.users().length;
    }
  }

  /** The places {@code from..end} of rows that begin at the place {@code first}. */
  private static void show(Need.Rows rows, long first, long from, long end, RowSink sink) {
    for (long at = from; at < Math.min(end, first + rows.users().length); at++) {
      int i = (int) (at - first);
      sink.accept(rows.ranks()[i], rows.users()[i], rows.scores()[i], rows.reached()[i]);
    }
  }

  @Override
  public long countUpTo(long score, long reached, int user) {
    return known(new Need.UpTo(score, reached, user), Long.class);
  }

  @Override
  public long better(long score) {
    return known(new Need.Better(score), Long.class);
  }

  private <T> T known(Need need, Class<T> type) {
    T found = facts == null ? null : facts.get(need, type);
    if (found == null) {
      throw missing(List.of(need));
    }
    return found;
  }

  private NotFetchedException missing(List<Need> needs) {
    return new NotFetchedException(() -> fetch(needs));
  }

  private CompletableFuture<@Nullable Ranking> fetch(List<Need> needs) {
    if (moves == MOVES) {
      return CompletableFuture.completedFuture(null);
    }
    Facts before = facts;
    if (before == null) {
      return season.ask(needs).thenApply(found -> next(found, needs, moves));
    }
    List<Need> all = new ArrayList<>(asked);
    all.addAll(needs);
    return season
        .ask(needs)
        .thenCompose(
            found -> {
              if (found != null && found.line() == before.line()) {
                Facts both = before.and(found, needs);
                return CompletableFuture.completedFuture(next(both, all, moves));
              }
              // The copy of the head that it began with may be older: nothing came of it yet.
              return found == null || asked.isEmpty()
                  ? CompletableFuture.completedFuture(next(found, all, moves))
                  : season.ask(all).thenApply(again -> next(again, all, moves + 1));
            });
  }

  private @Nullable Ranking next(@Nullable Facts found, List<Need> all, int moved) {
    return found == null ? null : new RedisRanking(season, found, all, moved);
  }
}
