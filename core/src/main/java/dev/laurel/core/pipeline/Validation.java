package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.StoredId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The first step: pure, and bad input is an answer, never an exception. */
public final class Validation {
  /** How far a given time may be ahead of the clock. */
  public static final long MAX_AHEAD_MILLIS = 300_000;

  public static final int MAX_METADATA_BYTES = 4096;

  private Validation() {}

  /** A command that may be stored, or why not. */
  sealed interface Checked permits Valid, Invalid {}

  /** Refused before it reached the store. */
  record Invalid(Rejection rejection) implements Checked {}

  /**
   * A command with its number in units.
   *
   * @param at null for a command without a time of its own
   * @param id null for a command without an id
   * @param payload null with it
   */
  record Valid(
      LedgerLine.Kind kind,
      String userId,
      Update mode,
      long value,
      @Nullable Long at,
      @Nullable String eventId,
      @Nullable String metadata,
      StoredId.@Nullable Name id,
      @Nullable Digest payload)
      implements Checked {}

  static Checked check(Board board, Command command, long now) {
    if (!UserIds.isValid(command.userId())) {
      return new Invalid(Rejection.invalid("userId", command.userId(), UserIds.EXPECTED));
    }
    return switch (command) {
      case Command.Delete delete ->
          new Valid(
              LedgerLine.Kind.DELETE,
              delete.userId(),
              board.update(),
              0,
              null,
              null,
              null,
              null,
              null);
      case Command.Score score -> checkScore(board, score, now);
    };
  }

  private static Checked checkScore(Board board, Command.Score score, long now) {
    OptionalLong units = Units.parse(score.value(), board.decimals());
    if (units.isEmpty()) {
      return new Invalid(
          Rejection.expectation(
              ErrorCode.INVALID_SCORE,
              "score",
              score.value(),
              "a number that fits 64 bits with " + board.decimals() + " decimals"));
    }
    long value = units.getAsLong();
    Update mode = score.mode() == null ? board.update() : score.mode();
    // What SUM adds is not a score; its total is checked when it is known.
    if (mode != Update.SUM && !board.bounds().contains(value)) {
      return new Invalid(outOfBounds(board, score.value()));
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
        score.userId(),
        mode,
        value,
        at,
        eventId,
        metadata,
        eventId == null ? null : new StoredId.Name(board.id(), Digest.of("event", "", eventId)),
        eventId == null
            ? null
            : Digest.of(
                score.userId(),
                Long.toString(value),
                score.mode() == null ? "" : mode.name(),
                at == null ? "" : at.toString()));
  }

  static Rejection outOfBounds(Board board, String value) {
    return Rejection.expectation(
        ErrorCode.SCORE_OUT_OF_BOUNDS,
        "score",
        value,
        Units.format(board.bounds().min(), board.decimals())
            + ".."
            + Units.format(board.bounds().max(), board.decimals()));
  }
}
