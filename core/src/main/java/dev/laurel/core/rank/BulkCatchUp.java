package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.LocalSeason.Following;
import dev.laurel.core.store.ReadTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings many seasons to where one snapshot of the store is, by three queries whatever their
 * number: where they stand, whom they lack, what became of those who were changed. Belongs to the
 * thread of the transaction.
 */
final class BulkCatchUp {
  private final ReadTransaction tx;
  private final Users users;
  private final Map<Long, LocalSeason> held;
  private final List<RankIndex.Moved> boards;

  /**
   * @param held the seasons of which something is known here, by number
   */
  BulkCatchUp(
      ReadTransaction tx, Users users, Map<Long, LocalSeason> held, List<RankIndex.Moved> boards) {
    this.tx = tx;
    this.users = users;
    this.held = held;
    this.boards = boards;
  }

  /** Hears that a season has more entries. */
  interface Grown {
    void by(Season season, LocalSeason local, long entries);
  }

  /** Lets a season catch up by itself. */
  interface Alone {
    void catchUp(Board board, Season season, LocalSeason local);
  }

  private record Known(RankIndex.Moved moved, Season season, LocalSeason local) {}

  private record Step(Known known, RankSnapshot base, long position) {}

  void run(Grown grown, Alone alone) {
    Map<Long, Known> known = known();
    if (known.isEmpty()) {
      return;
    }
    long epoch = tx.epoch();
    Map<Long, Long> positions = tx.positions(known.keySet());
    List<Step> steps = new ArrayList<>();
    known.forEach(
        (id, each) -> {
          long position = positions.getOrDefault(id, 0L);
          switch (each.local.following(position, epoch)) {
            case Following.Nothing _ -> {}
            case Following.Onward(RankSnapshot base) -> steps.add(new Step(each, base, position));
            case Following.Lost _ -> alone.catchUp(each.moved.board(), each.season, each.local);
          }
        });
    if (steps.isEmpty()) {
      return;
    }
    meetUsers(steps);
    Map<Long, RankSnapshot.Editor> editors = new HashMap<>();
    steps.forEach(step -> editors.put(step.known.season.id(), step.base.edit()));
    for (Map<Long, int[]> asked : portions(steps)) {
      Map<Long, List<@Nullable Entry>> entries = tx.entries(asked);
      asked.forEach(
          (season, changed) ->
              LocalRankIndex.put(
                  Objects.requireNonNull(editors.get(season)),
                  changed,
                  Objects.requireNonNull(entries.get(season))));
    }
    for (Step step : steps) {
      Known each = step.known;
      RankSnapshot.Editor editor = Objects.requireNonNull(editors.get(each.season.id()));
      if (!take(step, editor, epoch)) {
        alone.catchUp(each.moved.board(), each.season, each.local);
      }
      grown.by(each.season, each.local, each.local.size() - step.base.size());
    }
  }

  /** Mostly one: who was changed, by season, as many as may be in memory at once. */
  private static List<Map<Long, int[]>> portions(List<Step> steps) {
    List<Map<Long, int[]>> portions = new ArrayList<>();
    int room = 0;
    for (Step step : steps) {
      int[] users = step.known.moved.users();
      for (int from = 0; from < users.length; ) {
        if (room == 0) {
          portions.add(new LinkedHashMap<>());
          room = LocalRankIndex.ENTRIES_AT_ONCE;
        }
        int to = Math.min(users.length, from + room);
        portions.getLast().put(step.known.season.id(), Arrays.copyOfRange(users, from, to));
        room -= to - from;
        from = to;
      }
    }
    return portions;
  }

  private Map<Long, Known> known() {
    Map<Long, Known> known = new LinkedHashMap<>();
    for (RankIndex.Moved moved : boards) {
      for (Season season : moved.board().seasons()) {
        LocalSeason local = held.get(season.id());
        if (local != null && !local.isAt(moved.line())) {
          known.put(season.id(), new Known(moved, season, local));
        }
      }
    }
    return known;
  }

  /** In this transaction, so that everyone whom the entries name is known. */
  private void meetUsers(List<Step> steps) {
    Map<Long, Integer> last = new HashMap<>();
    for (Step step : steps) {
      for (int user : step.known.moved.users()) {
        last.merge(step.known.moved.board().tenant(), user, Math::max);
      }
    }
    last.forEach(
        (tenant, user) -> {
          UserDictionary dictionary = users.ifLoaded(tenant);
          if (dictionary == null || dictionary.size() < user) {
            users.follow(tx, tenant);
          }
        });
  }

  /** False if the season has to see for itself. */
  private static boolean take(Step step, RankSnapshot.Editor editor, long epoch) {
    if (step.base.capacity() != step.known.season.capacity()) {
      return false;
    }
    RankSnapshot reached = editor.build(step.position);
    return !reached.isShort() && step.known.local.install(reached, epoch) && !reached.isTooLarge();
  }
}
