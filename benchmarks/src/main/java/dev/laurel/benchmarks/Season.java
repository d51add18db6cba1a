package dev.laurel.benchmarks;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.UserDictionary;
import java.util.SplittableRandom;

/** A season to measure with: user_1 to user_n, scores up to a million, the same every time. */
record Season(UserDictionary ids, RankSnapshot snapshot) {
  static final int SCORES = 1_000_000;

  static Season of(int users, Ties ties) {
    SplittableRandom random = new SplittableRandom(1);
    UserDictionary ids = new UserDictionary();
    var builder = RankSnapshot.builder(Order.HIGHEST_FIRST, ties, ids);
    for (int user = 1; user <= users; user++) {
      ids.append(user, "user_" + user);
      builder.add(user, random.nextInt(SCORES), 1_700_000_000_000L + user, false);
    }
    return new Season(ids, builder.build(1));
  }
}
