package dev.laurel.core.query;

import dev.laurel.core.model.Entry;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.TieGroups;
import dev.laurel.core.rank.UserDictionary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a season, a page after the other. For one thread; blocks. */
public final class Pages {
  /** Some 100 KB as text. */
  private static final int ROWS = 1000;

  private final Rankings.Source source;
  private final UserDictionary users;
  private final Reader reader;
  private final Entries entries;
  private final Field field;
  private final TieGroups groups = new TieGroups();
  private long next;

  /** Reads the rows from a place on. */
  @FunctionalInterface
  interface Reader {
    void page(long offset, int limit, Ranking.RowSink sink);
  }

  /** Reads what was stored of users whose rows begin at a place; null for whom there is nothing. */
  @FunctionalInterface
  interface Entries {
    List<@Nullable Entry> of(long offset, int[] users);
  }

  /** How many rows there are, and what can be won. */
  record Field(long size, List<PrizeTier> tiers) {}

  /**
   * A row with all that an export says of it.
   *
   * @param metadata a JSON object; null if there is none, or if the score was replaced since
   * @param prize the name of the tier; null if nothing is won
   */
  public record Row(
      long rank,
      String userId,
      long score,
      long reached,
      @Nullable String metadata,
      @Nullable String prize) {}

  private record Placed(long rank, int user, long score, long reached) {}

  Pages(Rankings.Source source, UserDictionary users, Reader reader, Entries entries, Field field) {
    this.source = source;
    this.users = users;
    this.reader = reader;
    this.entries = entries;
    this.field = field;
  }

  public Rankings.Source source() {
    return source;
  }

  /** The next rows; empty if there are none left. */
  public List<Row> next() {
    List<Placed> page = new ArrayList<>(ROWS);
    reader.page(
        next,
        ROWS,
        (rank, user, score, reached) -> page.add(new Placed(rank, user, score, reached)));
    if (page.isEmpty()) {
      return List.of();
    }
    List<@Nullable Entry> stored = entries.of(next, page.stream().mapToInt(Placed::user).toArray());
    List<Row> rows = new ArrayList<>(page.size());
    for (int i = 0; i < page.size(); i++) {
      Placed row = page.get(i);
      int tier = PrizeTier.of(field.tiers, row.rank, groups.place(row.rank), field.size);
      rows.add(
          new Row(
              row.rank,
              users.id(row.user),
              row.score,
              row.reached,
              i < stored.size() ? metadata(row, stored.get(i)) : null,
              tier == PrizeTier.NONE ? null : field.tiers.get(tier).name()));
    }
    next += page.size();
    return rows;
  }

  /** That of another score is not this row's, and that of an erased user is nobody's. */
  private static @Nullable String metadata(Placed row, @Nullable Entry entry) {
    return entry == null
            || row.user == 0
            || entry.deleted()
            || entry.score() != row.score
            || entry.reached() != row.reached
        ? null
        : entry.metadata();
  }
}
