package dev.laurel.redis;

import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
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
  private @Nullable CompletableFuture<?> applied;
  private @Nullable Preview preview;
  private boolean previewed;

  /**
   * @param known what the index has of the season now
   */
  RedisDraft(
      Supplier<RedisSeason> known,
      int capacity,
      RedisLink link,
      UserDictionary users,
      RankIndex.Step step,
      List<RankIndex.Change> changes) {
    this.known = known;
    this.season = known.get();
    this.capacity = capacity;
    this.link = link;
    this.users = users;
    this.step = step;
    this.changes = changes;
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
    boolean wasCurrent = season.isCurrent() || step.from() == 0;
    // Before anything else: whatever becomes of the call, no older answer counts from now on.
    season.announce(step.to());
    if (changes.size() > MAX_CHANGES) {
      season.behind();
      return;
    }
    long epoch = season.floor().epoch();
    CompletableFuture<?> answer =
        apply(link, season, users, epoch, step, changes)
            .handle(
                (stands, failure) -> {
                  if (failure == null && stands == 1) {
                    season.reached(epoch, step.to());
                  } else {
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
      long epoch,
      RankIndex.Step step,
      List<RankIndex.Change> changes) {
    List<byte[]> words = new ArrayList<>(5 + 2 * changes.size());
    words.add(SeasonKeys.bytes(epoch));
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
