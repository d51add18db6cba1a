package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one season in Redis. Thread-safe.
 *
 * <p>The floor is the furthest line the node knows of: from its own commits, from the store, from
 * what others announced or Redis itself answered. Every read carries it, and is answered only by a
 * season that stands there or further. So nothing here has to be right about what Redis holds:
 * {@link #isCurrent} only saves calls that would be refused.
 *
 * <p>Facts that are asked for while a call is under way leave together in the next one: the more
 * readers, the fewer calls each.
 */
final class RedisSeason {
  /** More would hold Redis up for others. */
  private static final int GROUP = 1000;

  private static final long TOUCH_NANOS = 3_600_000_000_000L;

  final Board board;
  final Season season;
  final SeasonKeys keys;
  final AtomicBoolean catchUpRequested = new AtomicBoolean();

  private final RedisLink link;
  private final Users users;
  private final Runnable onBehind;

  private volatile Floor floor;
  private volatile boolean current;
  private volatile long size;
  private volatile @Nullable Facts top;

  private final Deque<Group> waiting = new ArrayDeque<>();
  private boolean underWay;
  private volatile long touched = System.nanoTime();

  /** The furthest line, and the history it is of; below 0 if the store was not asked yet. */
  record Floor(long epoch, long line) {}

  /** Facts that one call asks for. */
  private static final class Group {
    final Set<Need> needs = new LinkedHashSet<>();
    final CompletableFuture<@Nullable Facts> answer = new CompletableFuture<>();
  }

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
    this.link = link;
    this.users = users;
    this.floor = new Floor(epoch, -1);
    this.onBehind = () -> onBehind.accept(this);
  }

  Floor floor() {
    return floor;
  }

  /** Whether it stood at the floor when last heard of. */
  boolean isCurrent() {
    return current;
  }

  long size() {
    return size;
  }

  /** The head of the board, if nothing has happened since it was fetched. */
  @Nullable Facts top() {
    Facts copy = top;
    return copy != null && copy.line() >= floor.line ? copy : null;
  }

  /** There is a line as far as this: older answers are no answers any more. */
  synchronized void announce(long line) {
    if (line > floor.line) {
      floor = new Floor(floor.epoch, line);
    }
  }

  /** What the store says. Another epoch is another history: its lines are not comparable. */
  synchronized void learn(long epoch, long line) {
    if (floor.epoch != epoch) {
      floor = new Floor(epoch, line);
      current = false;
      top = null;
    } else {
      announce(line);
    }
  }

  /** Redis stands at this line. False if that is not far enough any more. */
  synchronized boolean reached(long epoch, long line) {
    if (floor.epoch == epoch && line >= floor.line) {
      current = true;
      return true;
    }
    return false;
  }

  void sized(long entries) {
    size = entries;
  }

  /** Reads go to the store until a catch-up, or a commit that fits, has brought it on. */
  void behind() {
    current = false;
    onBehind.run();
  }

  /** Completes with null if only the store can answer; never fails. */
  CompletableFuture<@Nullable Facts> ask(Collection<Need> needs) {
    Group mine;
    boolean first;
    synchronized (waiting) {
      mine = waiting.peekLast();
      if (mine == null || mine.needs.size() + needs.size() > GROUP) {
        mine = new Group();
        waiting.add(mine);
      }
      mine.needs.addAll(needs);
      first = !underWay;
      underWay = true;
    }
    if (first) {
      sendNext();
    }
    return mine.answer;
  }

  private void sendNext() {
    Group group;
    synchronized (waiting) {
      group = waiting.poll();
      if (group == null) {
        underWay = false;
        return;
      }
    }
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    if (dictionary == null) {
      group.answer.complete(null);
      sendNext();
      return;
    }
    Floor asked = floor;
    List<byte[]> words = new ArrayList<>(3 + 2 * group.needs.size());
    words.add(SeasonKeys.bytes(asked.epoch));
    words.add(SeasonKeys.bytes(asked.line));
    words.add(SeasonKeys.bytes(board.ties() == Ties.SHARED ? 1 : 0));
    for (Need need : group.needs) {
      need.ask(words, board, dictionary);
    }
    link.<List<Object>>call(
            Functions.Name.READ,
            ScriptOutputType.MULTI,
            RedisLink.SHORT,
            keys.season,
            words.toArray(byte[][]::new))
        .whenComplete(
            (reply, failure) -> {
              sendNext();
              if (failure != null || reply.isEmpty()) {
                behind();
                group.answer.complete(null);
              } else {
                answered(group, asked.epoch, reply, dictionary);
              }
            });
  }

  private void answered(Group group, long epoch, List<Object> reply, UserDictionary dictionary) {
    try {
      group.answer.complete(facts(group.needs, epoch, reply, dictionary));
    } catch (Need.UnknownUserException e) {
      // Rare, and the store has to be asked: not on this thread, which serves everyone.
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  users.followNow(board.tenant());
                  group.answer.complete(facts(group.needs, epoch, reply, dictionary));
                } catch (RuntimeException again) {
                  group.answer.complete(null);
                }
              });
    } catch (RuntimeException e) {
      group.answer.complete(null);
    }
  }

  private Facts facts(Set<Need> needs, long epoch, List<Object> reply, UserDictionary dictionary) {
    Map<Need, Object> known = new HashMap<>(2 * needs.size());
    int at = 2;
    for (Need need : needs) {
      known.put(need, need.answer(reply.get(at++), board, dictionary));
    }
    Facts facts = new Facts((long) reply.get(0), (long) reply.get(1), known);
    keep(facts, epoch);
    return facts;
  }

  private void keep(Facts facts, long epoch) {
    size = facts.size();
    if (floor.epoch == epoch && facts.line() > floor.line) {
      // Another node's commit came here first; from now on nobody here sees an older state.
      announce(facts.line());
    }
    Object head = facts.known().get(RedisRanking.TOP);
    if (head != null && floor.epoch == epoch) {
      top = new Facts(facts.line(), facts.size(), Map.of(RedisRanking.TOP, head));
    }
    long now = System.nanoTime();
    if (now - touched > TOUCH_NANOS) {
      touched = now;
      link.call(
          Functions.Name.TOUCH,
          ScriptOutputType.INTEGER,
          RedisLink.SHORT,
          keys.season,
          new byte[][] {RedisRankIndex.TTL});
    }
  }
}
