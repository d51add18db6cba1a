package dev.laurel.redis;

import dev.laurel.core.model.Board;
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
import org.jspecify.annotations.Nullable;

/**
 * The reads of one season. What is asked while a call is under way leaves together in the next one,
 * and what many ask is asked once: the more readers, the fewer calls each. Thread-safe.
 */
final class Lookups {
  /** More would hold Redis up for others. */
  private static final int GROUP = 1000;

  private static final long TOUCH_NANOS = 3_600_000_000_000L;

  private final RedisSeason season;
  private final RedisLink link;
  private final Users users;
  private final Deque<Group> waiting = new ArrayDeque<>();
  private boolean underWay;
  private volatile long touched = System.nanoTime();

  /** Facts that one call asks for. */
  private static final class Group {
    final Set<Need.OfUser> users = new LinkedHashSet<>();
    final Set<Need.Other> others = new LinkedHashSet<>();
    final CompletableFuture<@Nullable Facts> answer = new CompletableFuture<>();

    void add(Need need) {
      switch (need) {
        case Need.OfUser user -> users.add(user);
        case Need.Other other -> others.add(other);
      }
    }

    int size() {
      return users.size() + others.size();
    }
  }

  Lookups(RedisSeason season, RedisLink link, Users users) {
    this.season = season;
    this.link = link;
    this.users = users;
  }

  /**
   * Completes with at least these facts, as of a line that is not before any that this node knew of
   * when they were asked; with null if only the store can answer. Never fails.
   */
  CompletableFuture<@Nullable Facts> ask(Collection<Need> needs) {
    Group mine;
    boolean first;
    synchronized (waiting) {
      mine = waiting.peekLast();
      if (mine == null || mine.size() + needs.size() > GROUP) {
        mine = new Group();
        waiting.add(mine);
      }
      needs.forEach(mine::add);
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
    try {
      send(group);
    } catch (RuntimeException e) {
      // Something that cannot be asked; whoever waits must hear of it, and the next one go out.
      group.answer.complete(null);
      sendNext();
    }
  }

  private void send(Group group) {
    Board board = season.board;
    // In memory: nobody comes here before it was loaded.
    UserDictionary dictionary = users.of(board.tenant());
    RedisSeason.Floor floor = season.floor();
    List<byte[]> words = new ArrayList<>(4 + group.users.size() + 3 * group.others.size());
    words.add(SeasonKeys.bytes(floor.epoch()));
    words.add(SeasonKeys.bytes(floor.line()));
    words.add(SeasonKeys.bytes(board.ties() == Ties.SHARED ? 1 : 0));
    words.add(SeasonKeys.bytes(group.users.size()));
    for (Need.OfUser need : group.users) {
      words.add(Members.id(dictionary, need.user()));
    }
    for (Need.Other need : group.others) {
      need.ask(words, board, dictionary);
    }
    CompletableFuture<List<Object>> call =
        link.call(
            Functions.Name.READ,
            ScriptOutputType.MULTI,
            season.keys.season,
            words.toArray(byte[][]::new));
    call.whenComplete(
        (reply, failure) -> {
          sendNext();
          if (failure != null || reply.isEmpty()) {
            season.behind();
            group.answer.complete(null);
          } else {
            answered(group, floor.epoch(), reply, dictionary);
          }
        });
  }

  private void answered(Group group, long epoch, List<Object> reply, UserDictionary dictionary) {
    try {
      group.answer.complete(facts(group, epoch, reply, dictionary));
    } catch (Need.UnknownUserException e) {
      // Rare, and the store has to be asked: not on this thread, which serves everyone.
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  users.followNow(season.board.tenant());
                  group.answer.complete(facts(group, epoch, reply, dictionary));
                } catch (Need.UnknownUserException again) {
                  // Nobody has this id, or nobody any more.
                  season.distrust();
                  group.answer.complete(null);
                } catch (RuntimeException again) {
                  group.answer.complete(null);
                }
              });
    } catch (RuntimeException e) {
      group.answer.complete(null);
    }
  }

  private Facts facts(Group group, long epoch, List<Object> reply, UserDictionary dictionary) {
    Board board = season.board;
    Map<Need, Object> known = new HashMap<>(2 * group.size());
    List<?> values = (List<?>) reply.get(2);
    List<?> places = (List<?>) reply.get(3);
    List<?> betters = (List<?>) reply.get(4);
    int user = 0;
    for (Need.OfUser need : group.users) {
      long better = betters.isEmpty() ? 0 : (long) betters.get(user);
      byte[] value = (byte[]) values.get(user);
      known.put(need, Need.Standing.of(value, (long) places.get(user), better, board));
      user++;
    }
    int at = 5;
    for (Need.Other need : group.others) {
      known.put(need, need.answer(reply.get(at++), board, dictionary));
    }
    Facts facts = new Facts((long) reply.get(0), (long) reply.get(1), known);
    season.heard(epoch, facts);
    touch();
    return facts;
  }

  /** Now and then, so that a season that is read does not expire. */
  private void touch() {
    long now = System.nanoTime();
    if (now - touched > TOUCH_NANOS) {
      touched = now;
      link.call(
          Functions.Name.TOUCH,
          ScriptOutputType.INTEGER,
          season.keys.season,
          new byte[][] {RedisRankIndex.TTL});
    }
  }
}
