package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.scoring.Score;
import dev.laurel.core.scoring.Scorer;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The first step: pure, and bad input is an answer, never an exception. */
public final class Validation {
  /** How far a given time may be ahead of the clock. */
  public static final long MAX_AHEAD_MILLIS = 300_000;

  public static final int MAX_METADATA_BYTES = 4096;

  /** For how long a user's action is not taken again. */
  public static final long ACTION_MILLIS = Duration.ofDays(7).toMillis();

  static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private Validation() {}

  /** A command that may be stored, or why not. */
  sealed interface Checked permits Valid, Correction, Invalid {}

  /** Refused before it reached the store. */
  record Invalid(Rejection rejection) implements Checked {}

  /** Lines that are there. */
  record Correction(Command.Correct command) implements Checked {}

  /**
   * A command with its number in units.
   *
   * @param board the number of its board
   * @param at null for a command without a time of its own
   * @param id null for a command without an id
   * @param payload null with it
   * @param action whether the id names an action: then it is refused when it comes again, and not
   *     answered as before
   * @param limit how often in a day; null for no limit
   */
  record Valid(
      LedgerLine.Kind kind,
      long board,
      String userId,
      Update mode,
      long value,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata,
      StoredId.@Nullable Name id,
      @Nullable Digest payload,
      boolean action,
      Command.@Nullable DailyLimit limit)
      implements Checked {

    /** The same score for an action of the user: its id is the user's own, on all boards. */
    Valid asAction(long tenant, Command.@Nullable DailyLimit limit) {
      StoredId.Name name =
          id == null
              ? null
              : new StoredId.Name(
                  0, Digest.of("action", Long.toString(tenant), userId, String.valueOf(eventId)));
      return new Valid(
          kind, board, userId, mode, value, at, eventId, metadata, name, payload, true, limit);
    }

    /** The same, to be held back. */
    Valid held() {
      return new Valid(
          LedgerLine.Kind.HOLD,
          board,
          userId,
          mode,
          value,
          at,
          eventId,
          metadata,
          id,
          payload,
          action,
          limit);
    }

    /**
     * The name by which earlier versions kept an action, on each board for itself; null if it is
     * none. What they took is not taken again.
     */
    StoredId.@Nullable Name formerId() {
      return action && id != null
          ? new StoredId.Name(board, Digest.of("action", userId, String.valueOf(eventId)))
          : null;
    }

    /** Under which name it is counted how often this was done today; null if it is not counted. */
    StoredId.@Nullable Name tally(long now) {
      return limit == null || id == null
          ? null
          : new StoredId.Name(
              board,
              Digest.of(
                  "award day",
                  userId,
                  limit.action(),
                  Long.toString(Math.floorDiv(now, DAY_MILLIS))));
    }

    /** Whether an id that was used before still stands in the way of this. */
    boolean isHeldBy(StoredId used, long now) {
      return !action || now - used.createdAt() < ACTION_MILLIS;
    }
  }

  static Checked check(Board board, Scorers scorers, Command command, long now) {
    if (!UserIds.isValid(command.userId())) {
      return new Invalid(Rejection.invalid("userId", command.userId(), UserIds.EXPECTED));
    }
    return switch (command) {
      case Command.Delete delete ->
          new Valid(
              LedgerLine.Kind.DELETE,
              board.id(),
              delete.userId(),
              board.update(),
              0,
              null,
              null,
              null,
              null,
              null,
              false,
              null);
      case Command.Score score -> checkScore(board, score, now);
      case Command.Event event -> checkEvent(board, scorers, event, now);
      case Command.Award award -> checkAward(board, award, now);
      case Command.Correct correct -> new Correction(correct);
    };
  }

  /** The third step comes early: an event's score does not depend on what is stored. */
  private static Checked checkEvent(Board board, Scorers scorers, Command.Event event, long now) {
    Scorer scorer = scorers.of(board);
    if (scorer == null) {
      return new Invalid(
          Rejection.expectation(
              ErrorCode.VALIDATION_ERROR,
              "leaderboardConfigId",
              board.uuid(),
              "a board that is configured to score features"));
    }
    return switch (scorer.score(event.features())) {
      case Score.Rejected(var rejection) -> new Invalid(rejection);
      case Score.Scored(var units) ->
          check(
              board,
              units,
              Units.format(units, board.decimals()),
              new Command.Score(
                  event.userId(), "", null, event.at(), event.eventId(), event.metadata()),
              () -> payload(event),
              now);
    };
  }

  /** What was sent, and not what came of it: that may change with the board's version. */
  private static Digest payload(Command.Event event) {
    List<String> parts = new ArrayList<>();
    parts.add(event.userId());
    parts.add(event.at() == null ? "" : event.at().toString());
    new TreeMap<>(event.features())
        .forEach(
            (name, value) -> {
              parts.add(name);
              parts.add(value.getClass().getSimpleName() + value);
            });
    return Digest.of(parts.toArray(String[]::new));
  }

  private static Checked checkAward(Board board, Command.Award award, long now) {
    String points = Long.toString(award.points());
    Command.Score score =
        new Command.Score(
            award.userId(), points, Update.SUM, null, award.actionId(), award.metadata());
    Checked checked = checkScore(board, score, now);
    return checked instanceof Valid valid ? valid.asAction(board.tenant(), award.limit()) : checked;
  }

  private static Checked checkScore(Board board, Command.Score score, long now) {
    OptionalLong units = Units.parse(score.value(), board.decimals());
    if (units.isEmpty()) {
      return new Invalid(
          Rejection.expectation(
              ErrorCode.INVALID_SCORE,
              "score",
              score.value(),
              "a number that fits 64 bits with %d decimals: at most %s"
                  .formatted(board.decimals(), Units.format(Long.MAX_VALUE, board.decimals()))));
    }
    long value = units.getAsLong();
    return check(
        board,
        value,
        score.value(),
        score,
        () ->
            Digest.of(
                score.userId(),
                Long.toString(value),
                score.mode() == null ? "" : score.mode().name(),
                score.at() == null ? "" : score.at().toString()),
        now);
  }

  /** What a score and a scored event have in common. */
  private static Checked check(
      Board board,
      long value,
      String shown,
      Command.Score score,
      Supplier<Digest> payload,
      long now) {
    Update mode = score.mode() == null ? board.update() : score.mode();
    // What SUM adds is not a score; its total is checked when it is known.
    if (mode != Update.SUM && !board.bounds().contains(value)) {
      return new Invalid(outOfBounds(board, shown));
    }
    Long at = score.at();
    if (at != null && at > now + MAX_AHEAD_MILLIS) {
      return new Invalid(
          Rejection.expectation(
              ErrorCode.TIME_IN_FUTURE,
              "timestamp",
              Instant.ofEpochMilli(at),
              "at most 5 minutes ahead of the server's clock"));
    }
    String eventId = score.eventId();
    if (eventId != null && !UserIds.isValid(eventId)) {
      return new Invalid(Rejection.invalid("eventId", eventId, UserIds.EXPECTED));
    }
    String metadata = score.metadata();
    if (metadata != null
        && metadata.length() > MAX_METADATA_BYTES / 4
        && metadata.getBytes(StandardCharsets.UTF_8).length > MAX_METADATA_BYTES) {
      return new Invalid(
          Rejection.invalid(
              "metadata", metadata.length() + " characters", "at most 4096 bytes of JSON"));
    }
    return new Valid(
        LedgerLine.Kind.SCORE,
        board.id(),
        score.userId(),
        mode,
        value,
        at,
        eventId,
        metadata,
        eventId == null ? null : new StoredId.Name(board.id(), Digest.of("event", "", eventId)),
        eventId == null ? null : payload.get(),
        false,
        null);
  }

  /**
   * The words depend on what was sent alone, never on the entry: a refused submission that is sent
   * again must get the same answer.
   */
  static Rejection outOfBounds(Board board, Valid valid) {
    String value = Units.format(valid.value(), board.decimals());
    return outOfBounds(
        board, valid.mode() == Update.SUM ? value + " added to the score so far" : value);
  }

  private static Rejection outOfBounds(Board board, String value) {
    return Rejection.expectation(
        ErrorCode.SCORE_OUT_OF_BOUNDS,
        "score",
        value,
        Units.format(board.bounds().min(), board.decimals())
            + ".."
            + Units.format(board.bounds().max(), board.decimals()));
  }
}
