package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What those who watch are told that the users of a range are called. It is remembered with the
 * picture: a user's name may change while the entry does not.
 *
 * @param tag another one if somebody is called something else; for the ids of events
 */
public record Names(Map<Integer, Name> byUser, String tag) {
  /** What a user is called. */
  public record Name(String id, @Nullable String displayName) {}

  static Names of(Encoding encoding, Board board, Picture picture) {
    Map<Integer, Name> names = new HashMap<>();
    StringBuilder told = new StringBuilder();
    List<Ranking.Row> rows = new ArrayList<>(picture.rows());
    if (picture.outsider() != null) {
      rows.add(picture.outsider());
    }
    for (Ranking.Row row : rows) {
      Name name = encoding.name(board, picture.users(), row.user(), row.rank());
      names.put(row.user(), name);
      told.append(name).append('\n');
    }
    Digest digest = Digest.of("names", encoding.tag(), told.toString());
    return new Names(names, Long.toUnsignedString(digest.high(), Character.MAX_RADIX));
  }

  /** The name of a user of the range, or of one who has just left it. */
  public Name of(int user) {
    return Objects.requireNonNull(byUser.get(user), "a user of the range");
  }

  /** Whether all who are in this range are called in the other one, or outside, what they are. */
  boolean fit(Names now, Encoding encoding, Board board, Picture picture) {
    return byUser.entrySet().stream()
        .allMatch(
            told -> {
              Name there = now.byUser.get(told.getKey());
              return told.getValue()
                  .equals(
                      there != null
                          ? there
                          : encoding.name(board, picture.users(), told.getKey(), Ranking.OUTSIDE));
            });
  }

  /** With those who were in the range before. */
  Names and(Names before) {
    Map<Integer, Name> all = new HashMap<>(before.byUser);
    all.putAll(byUser);
    return new Names(all, tag);
  }
}
