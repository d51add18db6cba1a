package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Cursor;
import dev.laurel.core.query.Cursors;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.Exchange;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** How a page of a ranking goes on where the one before it ended, on every surface with pages. */
final class PageCursors {
  private final Rankings rankings;
  private final Cursors cursors;

  PageCursors(Rankings rankings, Cursors cursors) {
    this.rankings = rankings;
    this.cursors = cursors;
  }

  /**
   * Reads {@code cursor}, null if there is none, and goes on: at once, or on a thread that may wait
   * if another node's page has ended with somebody whom this one has not met.
   */
  void read(
      Exchange exchange, Board board, Season season, BiConsumer<Exchange, @Nullable Cursor> then) {
    Cursor cursor = cursor(exchange, season);
    if (cursor == null || rankings.hasMet(board, cursor.user())) {
      then.accept(exchange, cursor);
    } else {
      exchange.block(
          x -> {
            rankings.meetAll(board);
            then.accept(x, cursor);
          });
    }
  }

  private @Nullable Cursor cursor(Exchange exchange, Season season) {
    String text = exchange.query("cursor");
    if (text == null) {
      return null;
    }
    if (exchange.query("offset") != null) {
      throw Rejection.invalid("offset", "given with cursor", "only one of them").asException();
    }
    Cursor cursor = cursors.open(text);
    if (cursor == null || cursor.season() != season.id()) {
      throw Rejection.expectation(
              ErrorCode.INVALID_CURSOR,
              "cursor",
              text,
              "what a page of this board names as the next one")
          .asException();
    }
    return cursor;
  }

  /** Where the page begins. */
  static long from(Rankings.View view, long offset, @Nullable Cursor cursor) {
    if (cursor == null) {
      return offset;
    }
    if (cursor.user() < 0 || cursor.user() > view.users().size()) {
      throw Rejection.expectation(
              ErrorCode.INVALID_CURSOR, "cursor", "made up", "what a page names as the next one")
          .asException();
    }
    return view.ranking().after(cursor.score(), cursor.reached(), cursor.user(), cursor.position());
  }

  /** What the next page is asked for with; null after the last one. */
  @Nullable String next(Season season, long from, LastRow last, long total) {
    return last.rows > 0 && from + last.rows < total
        ? cursors.seal(
            new Cursor(season.id(), last.score, last.reached, last.user, from + last.rows - 1))
        : null;
  }

  /** Where a page ended. */
  static final class LastRow implements Ranking.RowSink {
    private final Ranking.RowSink rest;
    private long rows;
    private int user;
    private long score;
    private long reached;

    /**
     * @param rest what is done with each row
     */
    LastRow(Ranking.RowSink rest) {
      this.rest = rest;
    }

    @Override
    public void accept(long newRank, int newUser, long newScore, long newReached) {
      rest.accept(newRank, newUser, newScore, newReached);
      rows++;
      user = newUser;
      score = newScore;
      reached = newReached;
    }
  }
}
