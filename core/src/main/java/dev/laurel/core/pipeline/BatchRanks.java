package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.CappedRanking;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.Users;
import org.jspecify.annotations.Nullable;

/**
 * The ranks that one batch answers with, as they will be after its commit: those that the index can
 * tell. To count them in the store may take longer than all that the batch does, and everyone else
 * would wait for that, under the shard's lock; so an answer goes without. Belongs to the batch's
 * thread.
 */
final class BatchRanks {
  private final BatchDrafts drafts;
  private final Users users;

  BatchRanks(BatchDrafts drafts, Users users) {
    this.drafts = drafts;
    this.users = users;
  }

  /** The outcome with its rank, where that is known. */
  Outcome ranked(Decision decision, Request request) {
    if (!(decision.outcome() instanceof Outcome.Accepted accepted) || !accepted.onBoard()) {
      return decision.outcome();
    }
    try {
      return accepted.withRank(rank(accepted, decision, request.board()));
    } catch (RuntimeException | Error e) {
      // An index that fails, or would have to ask first, is no reason to refuse a score.
      return accepted;
    }
  }

  private long rank(Outcome.Accepted accepted, Decision decision, Board board) {
    Ranking ranking = ranking(decision, board);
    if (ranking == null) {
      return Outcome.UNKNOWN_RANK;
    }
    Ranking.Row row = ranking.row(decision.user());
    if (row == null && !ranking.knows(decision.user())) {
      // An entry was written, and it is none of those that the index keeps.
      return Ranking.OUTSIDE;
    }
    if (row == null) {
      return accepted.effect() == Outcome.Effect.DUPLICATE ? Outcome.NO_RANK : Outcome.UNKNOWN_RANK;
    }
    return row.rank();
  }

  private @Nullable Ranking ranking(Decision decision, Board board) {
    Season season = decision.season();
    Ranking known = season == null ? null : drafts.ranking(board, season);
    return season == null || known == null || season.capacity() == 0
        ? known
        : CappedRanking.of(known, board, season, users.of(board.tenant()));
  }
}
