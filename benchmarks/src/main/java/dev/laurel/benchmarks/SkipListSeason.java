package dev.laurel.benchmarks;

import dev.laurel.benchmarks.rivals.SpanSkipList;
import dev.laurel.core.model.Order;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.UserDictionary;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A season as Redis keeps one: a hash table from the member to its place, and the skip list. It has
 * no snapshots: readers would wait for the writer.
 */
final class SkipListSeason {
  private static final Order ORDER = Order.HIGHEST_FIRST;

  private final SpanSkipList list = new SpanSkipList(4);
  private final Map<String, SpanSkipList.Node> nodes;
  private final String[] names;

  SkipListSeason(RankSnapshot snapshot, UserDictionary ids) {
    int users = ids.size();
    nodes = HashMap.newHashMap(users);
    names = new String[users + 1];
    // In the order of arrival: in rank order the nodes would lie side by side in memory, as they
    // never do in a set that lives.
    long[] scores = new long[users + 1];
    long[] reached = new long[users + 1];
    snapshot.forEach(
        (rank, user, score, at) -> {
          scores[user] = score;
          reached[user] = at;
        });
    for (int user = 1; user <= users; user++) {
      names[user] = ids.id(user);
      nodes.put(names[user], list.insert(ORDER.key(scores[user]), reached[user], user));
    }
  }

  long rank(String id) {
    SpanSkipList.Node node = nodes.get(id);
    return node == null ? 0 : list.rank(node.key, node.reached, node.user);
  }

  void update(SplittableRandom random, long now) {
    int user = 1 + random.nextInt(names.length - 1);
    SpanSkipList.Node node = nodes.get(names[user]);
    list.remove(node.key, node.reached, node.user);
    nodes.put(names[user], list.insert(ORDER.key(random.nextInt(Season.SCORES)), now, user));
  }

  void top10(Blackhole blackhole) {
    list.page(
        0,
        10,
        (_, node) -> {
          blackhole.consume(node.user);
          blackhole.consume(ORDER.score(node.key));
        });
  }
}
