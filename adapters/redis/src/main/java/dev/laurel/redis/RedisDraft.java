package dev.laurel.redis;

import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One season's part of a commit on its way to Redis. Belongs to one thread. */
final class RedisDraft implements RankIndex.Draft {
  /** Larger ones would hold Redis up for everyone; the catch-up loads in chunks instead. */
  static final int MAX_CHANGES = 20_000;

  /** The ranks of larger ones are asked for after the commit, by those who want them. */
  private static final int MAX_PREVIEW = 2000;

  private final Supplier<RedisSeason> known;
  private RedisSeason season;
  private final int capacity;
  private final RedisLink link;
  private final UserDictionary users;
  private final RankIndex.Step step;
  private final List<RankIndex.Change> changes;

  /** What Redis lacks of the time before the commit; null if nothing. */
  private final RedisSeason.@Nullable Bridge bridge;

  private final WriteObserver observer;
  private @Nullable CompletableFuture<?> applied;
  private @Nullable Preview preview;
  private boolean previewed;

  /** Hears whether the season has the commit. */
  @FunctionalInterface
  interface WriteObserver {
    void wrote(boolean applied);
  }

  /**
   * @param known what the index has of the season now
   */
  RedisDraft(
      Supplier<RedisSeason> known,
      int capacity,
      RedisLink link,
      UserDictionary users,
      RankIndex.Step step,
      List<RankIndex.Change> changes,
      WriteObserver observer) {
    this.known = known;
    this.observer = observer;
    this.season = known.get();
    this.capacity = capacity;
    this.link = link;
    this.users = users;
    this.bridge = season.takeBridge(step.from());
    this.step =
        bridge == null
            ? step
            : new RankIndex.Step(step.epoch(), bridge.from(), step.to(), step.stamp());
    this.changes = bridge == null ? changes : merged(bridge.changes(), changes);
  }

  /** What the commit says of a user is the later word. */
  private static List<RankIndex.Change> merged(
      List<RankIndex.Change> before, List<RankIndex.Change> own) {
    Map<Integer, RankIndex.Change> all = new LinkedHashMap<>();
    before.forEach(change -> all.put(change.user(), change));
    own.forEach(change -> all.put(change.user(), change));
    return List.copyOf(all.values());
  }

  @Override
  public @Nullable Ranking ranking() {
    if (!previewed) {
      previewed = true;
      preview =
          (season.isCurrent() || step.from() == 0) && changes.size() <= MAX_PREVIEW && tellsPlaces()
              ? Preview.of(season, users, step.from(), step.to(), changes)
              : null;
    }
    return preview;
  }

  /** A shared rank does not tell who has a place and who is outside. */
  private boolean tellsPlaces() {
    return capacity == 0 || season.board.ties() == Ties.EARLIEST_FIRST;
  }

  @Override
  public void publish() {
    // Asked for anew: the one of before may have been forgotten, and readers have another.
    season = known.get();
    if (season.floor().epoch() != step.epoch()) {
      return; // the store has gone into another epoch since, and readers with it
    }
    boolean wasCurrent = season.isCurrent() || step.from() == 0;
    if (changes.size() > MAX_CHANGES) {
      season.announce(step.to());
      season.behind();
      observer.wrote(false);
      return;
    }
    long epoch = step.epoch();
    CompletableFuture<Long> sent = apply(link, season, users, step, changes);
    // Whatever becomes of the call, no older answer counts from now on. Not before it was sent: a
    // read that asks for this line, and overtakes it, would find Redis behind.
    season.announce(step.to());
    CompletableFuture<?> answer =
        sent.handle(
            (stands, failure) -> {
              boolean there = failure == null && stands == 1;
              observer.wrote(there);
              if (there) {
                season.reached(epoch, step.to());
              } else {
                if (bridge != null) {
                  season.stands(null); // it does not stand where it was seen
                }
                season.behind();
              }
              return true;
            });
    // Reads of a season that is behind come from the store: nobody needs to wait for it.
    applied = wasCurrent ? answer : null;
  }

  /** Completes with 1 if the season stands at {@code to} or further. */
  static CompletableFuture<Long> apply(
      RedisLink link,
      RedisSeason season,
      UserDictionary users,
      RankIndex.Step step,
      List<RankIndex.Change> changes) {
    List<byte[]> words = new ArrayList<>(5 + 2 * changes.size());
    words.add(SeasonKeys.bytes(step.epoch()));
    words.add(SeasonKeys.bytes(step.from()));
    words.add(SeasonKeys.bytes(step.to()));
    words.add(RedisRankIndex.TTL);
    words.add(SeasonKeys.bytes(step.stamp()));
    for (RankIndex.Change change : changes) {
      words.add(Members.id(users, change.user()));
      words.add(Members.value(season.board.order(), change));
    }
    return link.call(
        Functions.Name.APPLY,
        ScriptOutputType.INTEGER,
        season.keys.season,
        words.toArray(byte[][]::new));
  }

  @Override
  public void awaitVisible() {
    CompletableFuture<?> call = applied;
    if (call != null) {
      // It has a deadline of its own, and does not fail.
      call.join();
    }
  }
}
