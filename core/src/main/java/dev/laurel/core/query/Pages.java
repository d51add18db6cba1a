package dev.laurel.core.query;

import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;

/** The rows of a season, a page after the other. For one thread; blocks. */
public final class Pages {
  /** Some 100 KB as text. */
  private static final int ROWS = 1000;

  private final Rankings.Source source;
  private final UserDictionary users;
  private final Reader reader;
  private long next;

  /** Reads the rows from a place on. */
  @FunctionalInterface
  interface Reader {
    void page(long offset, int limit, Ranking.RowSink sink);
  }

  Pages(Rankings.Source source, UserDictionary users, Reader reader) {
    this.source = source;
    this.users = users;
    this.reader = reader;
  }

  public Rankings.Source source() {
    return source;
  }

  /** The names of the rows' users. */
  public UserDictionary users() {
    return users;
  }

  /** Hands the next rows out; false if there are none left. */
  public boolean next(Ranking.RowSink sink) {
    long[] count = new long[1];
    reader.page(
        next,
        ROWS,
        (rank, user, score, reached) -> {
          count[0]++;
          sink.accept(rank, user, score, reached);
        });
    next += count[0];
    return count[0] > 0;
  }
}
