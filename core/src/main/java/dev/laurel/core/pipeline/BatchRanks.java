package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.CappedRanking;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ReadTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The ranks that one batch answers with, as they will be after its commit: from the drafts, or from
 * what the transaction has written. Belongs to the batch's thread.
 */
final class BatchRanks {
  private final ReadTransaction tx;
  private final BatchDrafts drafts;
  private final Users users;

  BatchRanks(ReadTransaction tx, BatchDrafts drafts, Users users) {
    this.tx = tx;
    this.drafts = drafts;
    this.users = users;
  }

  /** The outcome with its rank, where there is one. */
  Outcome ranked(Decision decision, Request request) {
    if (!(decision.outcome() instanceof Outcome.Accepted accepted)) {
      return decision.outcome();
    }
    Ranking ranking = ranking(decision, request);
    if (ranking == null || !accepted.onBoard()) {
      return accepted;
    }
    Ranking.Row row = ranking.row(decision.user());
    if (row == null && !ranking.knows(decision.user())) {
      // An entry was written, and it is none of those that the index keeps.
      return accepted.withRank(Ranking.OUTSIDE);
    }
    if (row == null && request.idempotency() != null && decision.season() != null) {
      row = stored(decision.season(), request).row(decision.user());
    }
    return row == null ? accepted : accepted.withRank(row.rank());
  }

  private @Nullable Ranking ranking(Decision decision, Request request) {
    Board board = request.board();
    Season season = decision.season();
    if (season == null) {
      return null;
    }
    Ranking drafted = drafts.ranking(season.id());
    if (drafted != null) {
      return season.capacity() == 0
          ? drafted
          : CappedRanking.of(drafted, board, season, users.of(board.tenant()));
    }
    return request.idempotency() == null ? null : stored(season, request);
  }

  /** An answer that is kept with a key has to be whole now, whatever that costs. */
  private Ranking stored(Season season, Request request) {
    return StoredRanking.of(tx, request.board(), season, users);
  }
}
