package dev.laurel.core.pipeline;

import dev.laurel.core.model.Update;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a caller wants done to one user's entry, not yet checked. */
public sealed interface Command {
  /**
   * What a command takes besides its texts, from when it is read until it is answered: itself, its
   * checked form with ids and digests, its ledger line, its outcome, and its part of the lists that
   * they are in. Measured at 350 to 450 bytes.
   */
  int OVERHEAD_BYTES = 450;

  String userId();

  /** About what it takes in memory on its way through the pipeline. */
  long bytes();

  /** As if every character took two bytes: the commit makes copies of most of them. */
  private static long bytes(@Nullable String text) {
    return text == null ? 0 : 2L * text.length();
  }

  /**
   * A score.
   *
   * @param value the number as it was written, so that nothing is lost before it is checked
   * @param mode null for the board's own rule
   * @param at the event's time in epoch milliseconds, null for now
   * @param eventId unique on the board; repeated it changes nothing
   * @param metadata a JSON object
   */
  record Score(
      String userId,
      String value,
      @Nullable Update mode,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata)
      implements Command {
    @Override
    public long bytes() {
      return OVERHEAD_BYTES
          + Command.bytes(userId)
          + Command.bytes(value)
          + Command.bytes(eventId)
          + Command.bytes(metadata);
    }
  }

  /**
   * Features that the board makes a score of.
   *
   * @param features as they were sent; see {@link dev.laurel.core.scoring.Features#check}
   */
  record Event(
      String userId,
      Map<String, Object> features,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata)
      implements Command {
    /** A feature is an entry of a map with a name and a value. */
    private static final int FEATURE_BYTES = 120;

    @Override
    public long bytes() {
      long sum =
          OVERHEAD_BYTES
              + Command.bytes(userId)
              + Command.bytes(eventId)
              + Command.bytes(metadata)
              + (long) FEATURE_BYTES * features.size();
      for (Object value : features.values()) {
        sum += value instanceof String text ? Command.bytes(text) : 0;
      }
      return sum;
    }
  }

  /**
   * Points for an action, added to what the user has.
   *
   * @param actionId names the completion; of one user it is taken once, see {@link
   *     Validation#ACTION_MILLIS}
   * @param limit how often in a day; null for as often as one likes
   */
  record Award(
      String userId,
      long points,
      String actionId,
      @Nullable String metadata,
      @Nullable DailyLimit limit)
      implements Command {
    /** Without a limit. */
    public Award(String userId, long points, String actionId, @Nullable String metadata) {
      this(userId, points, actionId, metadata, null);
    }

    @Override
    public long bytes() {
      return OVERHEAD_BYTES
          + Command.bytes(userId)
          + Command.bytes(actionId)
          + Command.bytes(metadata);
    }
  }

  /**
   * How often a user is given points for an action on a board, in a day of UTC.
   *
   * @param most at least 1
   */
  record DailyLimit(String action, int most) {}

  /** The user leaves the board. */
  record Delete(String userId) implements Command {
    @Override
    public long bytes() {
      return OVERHEAD_BYTES + Command.bytes(userId);
    }
  }

  /**
   * Scores of the user are to count no more, or held ones to count: those that do already change
   * nothing. Also on a board that takes no scores.
   *
   * @param lines of the ledger
   * @param note a JSON object: why, and who
   */
  record Correct(String userId, Correction what, List<Long> lines, @Nullable String note)
      implements Command {
    /** Its number, and what is read of it. */
    private static final int LINE_BYTES = 200;

    @Override
    public long bytes() {
      return OVERHEAD_BYTES
          + Command.bytes(userId)
          + Command.bytes(note)
          + (long) LINE_BYTES * lines.size();
    }
  }

  /** What becomes of a line. */
  enum Correction {
    REVERT,
    RELEASE
  }
}
