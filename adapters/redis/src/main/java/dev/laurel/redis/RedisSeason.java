package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one season in Redis. Thread-safe.
 *
 * <p>The floor is the furthest line the node knows of: from its own commits, from the store, from
 * what Redis itself answered. Every read carries it, and is answered only by a season that stands
 * there or further. So nothing here has to be right about what Redis holds: {@link #isCurrent} only
 * saves calls that would be refused.
 */
final class RedisSeason {
  final Board board;
  final Season season;
  final SeasonKeys keys;
  final AtomicBoolean catchUpRequested = new AtomicBoolean();

  private final Lookups lookups;
  private final Consumer<RedisSeason> onBehind;
  private volatile Floor floor;
  private volatile boolean current;
  private volatile boolean distrusted;
  private volatile long size;
  private volatile @Nullable Facts top;

  /** Since when it is not {@link #current}; only if it is not. */
  private volatile long since = System.nanoTime();

  private volatile @Nullable Floor stands;
  private volatile @Nullable Bridge bridge;

  /** The furthest line, and the history it is of; below 0 if the store was not asked yet. */
  record Floor(long epoch, long line) {}

  /** What happened to the season from one line to another. */
  record Bridge(long from, long to, List<RankIndex.Change> changes) {}

  RedisSeason(
      Board board,
      Season season,
      SeasonKeys keys,
      RedisLink link,
      Users users,
      long epoch,
      Consumer<RedisSeason> onBehind) {
    this.board = board;
    this.season = season;
    this.keys = keys;
    this.lookups = new Lookups(this, link, users);
    this.floor = new Floor(epoch, -1);
    this.onBehind = onBehind;
  }

  Floor floor() {
    return floor;
  }

  /** Whether it stood at the floor when last heard of. */
  boolean isCurrent() {
    return current;
  }

  /** For how long it has not, in nanoseconds; 0 if it does. */
  long awayNanos() {
    return current ? 0 : Math.max(1, System.nanoTime() - since);
  }

  long size() {
    return size;
  }

  /** Where Redis stood when it was last looked at; null if nothing is known. */
  @Nullable Floor stands() {
    return stands;
  }

  void stands(@Nullable Floor line) {
    stands = line;
  }

  /** For the commit that is being made. */
  void bridge(@Nullable Bridge next) {
    bridge = next;
  }

  /** What a commit that begins at this line takes along; null if it goes without. */
  @Nullable Bridge takeBridge(long line) {
    Bridge known = bridge;
    bridge = null;
    return known != null && known.to == line ? known : null;
  }

  /** The head of the board, if nothing has happened since it was fetched. */
  @Nullable Facts top() {
    Facts copy = top;
    return copy != null && copy.line() >= floor.line ? copy : null;
  }

  /** It may be a copy of what was wrong. */
  void forgetTop() {
    top = null;
  }

  /** Completes with null if only the store can answer; never fails. */
  CompletableFuture<@Nullable Facts> ask(Collection<Need> needs) {
    return lookups.ask(needs);
  }

  /** There is a line as far as this: older answers are no answers any more. */
  synchronized void announce(long line) {
    if (line > floor.line) {
      floor = new Floor(floor.epoch, line);
    }
  }

  /** What the store says. */
  synchronized void learn(long epoch, long line) {
    enter(epoch);
    announce(line);
  }

  /** What Redis holds was proved wrong, and so may be what it has told. */
  synchronized void restart(long epoch) {
    floor = new Floor(epoch, -1);
    away();
    top = null;
  }

  private synchronized void away() {
    if (current) {
      since = System.nanoTime();
      current = false;
    }
  }

  /** It tells of somebody who is not there: it is built anew. */
  void distrust() {
    distrusted = true;
    behind();
  }

  /** It was. */
  void trust() {
    distrusted = false;
  }

  boolean isDistrusted() {
    return distrusted;
  }

  /** Another epoch is another history: what is known of the old one says nothing. */
  synchronized void enter(long epoch) {
    if (floor.epoch != epoch) {
      floor = new Floor(epoch, -1);
      away();
      top = null;
    }
  }

  /** Redis stands at this line. False if that is not far enough any more. */
  synchronized boolean reached(long epoch, long line) {
    stands = new Floor(epoch, line);
    if (floor.epoch == epoch && line >= floor.line) {
      current = true;
      return true;
    }
    return false;
  }

  /** What Redis answered. */
  synchronized void heard(long epoch, Facts facts) {
    if (floor.epoch != epoch) {
      return;
    }
    size = facts.size();
    // Another node's commit may have come here first: from now on nobody sees an older state.
    announce(facts.line());
    Object head = facts.known().get(RedisRanking.TOP);
    if (head != null) {
      top = new Facts(facts.line(), facts.size(), Map.of(RedisRanking.TOP, head));
    }
  }

  void sized(long entries) {
    size = entries;
  }

  /** Reads go to the store until a catch-up, or a commit that fits, has brought it on. */
  void behind() {
    away();
    onBehind.accept(this);
  }
}
