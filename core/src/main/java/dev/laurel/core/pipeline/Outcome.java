package dev.laurel.core.pipeline;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of one command. */
public sealed interface Outcome {
  /** Stands for a rank that was not asked for, or that the index could not tell. */
  long UNKNOWN_RANK = 0;

  /**
   * Stands for the rank of a user who has left since: of a duplicate, whose score was taken then.
   */
  long NO_RANK = -2;

  /** How an accepted command ended. */
  enum Effect {
    APPLIED,
    UNCHANGED,
    DUPLICATE,
    /** Kept, and does not count until somebody has looked at it. */
    HELD
  }

  /**
   * @param onBoard false after a deletion, and after a submission that is older than one: then
   *     there is no score
   * @param score the entry's score after it, in units
   * @param reached the time that score was reached
   * @param rank after the commit, or {@link #UNKNOWN_RANK} or {@link #NO_RANK}; {@link
   *     dev.laurel.core.rank.Ranking#OUTSIDE} if there is no place for the entry
   * @param season what score and rank are about: the first window's, unless that was missed; null
   *     for a duplicate, unless its rank is asked for and its line can still be read
   * @param missed the windows whose season took the event no more, or that had none at its time
   * @param corrected what a correction did; null for anything else
   */
  record Accepted(
      Effect effect,
      boolean onBoard,
      long score,
      long reached,
      long rank,
      long line,
      @Nullable Season season,
      List<Window> missed,
      @Nullable Corrected corrected)
      implements Outcome {
    Accepted(
        Effect effect,
        boolean onBoard,
        long score,
        long reached,
        long rank,
        long line,
        @Nullable Season season,
        List<Window> missed) {
      this(effect, onBoard, score, reached, rank, line, season, missed, null);
    }

    Accepted about(Season shown) {
      return new Accepted(effect, onBoard, score, reached, rank, line, shown, missed, corrected);
    }

    Accepted withRank(long found) {
      return new Accepted(effect, onBoard, score, reached, found, line, season, missed, corrected);
    }

    Accepted withCorrected(Corrected done) {
      return new Accepted(effect, onBoard, score, reached, rank, line, season, missed, done);
    }
  }

  /**
   * @param lines how many the ledger got
   * @param seasons whose entry of the user was folded anew, by number
   */
  record Corrected(int lines, Set<Long> seasons) {}

  /** Refused; nothing was changed. */
  record Rejected(Rejection rejection) implements Outcome {}
}
