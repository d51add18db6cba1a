package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.model.Visibility;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says when making a board; what is null gets the contract's default.
 *
 * @param min the lower bound as it was written; 0 by default
 * @param status DRAFT to open it later; ACTIVE by default
 * @param max the upper bound as it was written; what fits by default
 * @param metadata a JSON object
 */
public record BoardDefinition(
    String uuid,
    @Nullable String podId,
    @Nullable String name,
    @Nullable Order order,
    @Nullable Ties ties,
    @Nullable Update update,
    @Nullable Integer decimals,
    @Nullable String min,
    @Nullable String max,
    @Nullable Visibility visibility,
    @Nullable BoardStatus status,
    @Nullable Long start,
    @Nullable Long end,
    @Nullable String metadata) {

  public static final int DEFAULT_DECIMALS = 6;
  public static final int MAX_NAME_LENGTH = 200;
  public static final int MAX_METADATA_LENGTH = 16_384;

  private static final String GAME_PREFIX = "game:";
  private static final String MAX_GAME_SCORE = "2000000000";

  /** The games' boards: best scores, whole numbers, as document 002 has them. */
  public static BoardDefinition game(String gameId) {
    return new BoardDefinition(
        gameUuid(gameId),
        null,
        gameId,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Document 002's rule for ids: {@code ^[A-Za-z0-9_-]{1,64}$}. */
  public static boolean isGameId(String text) {
    return !text.isEmpty() && text.length() <= 64 && isOf(text, "_-");
  }

  /** Letters and digits of ASCII, and some more characters. */
  private static boolean isOf(String text, String more) {
    return text.chars()
        .allMatch(
            c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || more.indexOf(c) >= 0);
  }

  /**
   * A game's board has the games' defaults, also if somebody makes it before its first score to
   * give it another rule; whole numbers it keeps, because the games surface promises them.
   */
  private BoardDefinition withGameDefaults() {
    if (!uuid.startsWith(GAME_PREFIX)) {
      return this;
    }
    if (!isGameId(uuid.substring(GAME_PREFIX.length()))) {
      throw Rejection.invalid("UUID", uuid, "game: and 1..64 of letters, digits and - _")
          .asException();
    }
    if (decimals != null && decimals != 0) {
      throw Rejection.invalid("decimals", decimals, "0 for a game's board").asException();
    }
    return new BoardDefinition(
        uuid,
        podId,
        name == null ? uuid.substring(GAME_PREFIX.length()) : name,
        order,
        ties,
        update == null ? Update.BEST : update,
        0,
        min,
        max == null ? MAX_GAME_SCORE : max,
        visibility,
        status,
        start,
        end,
        metadata);
  }

  /** What a game's board is called on the native surface. */
  public static String gameUuid(String gameId) {
    return GAME_PREFIX + gameId;
  }

  /** The board it describes; the store gives it its numbers. */
  Board toBoard(long tenant, String createdBy, long now) {
    return withGameDefaults().make(tenant, createdBy, now);
  }

  private Board make(long tenant, String createdBy, long now) {
    requireUuid();
    requireText("podId", podId);
    requireText("name", name);
    int places = decimals == null ? DEFAULT_DECIMALS : decimals;
    if (places < 0 || places > Units.MAX_DECIMALS) {
      throw Rejection.invalid("decimals", places, "0.." + Units.MAX_DECIMALS).asException();
    }
    long from = start == null ? Board.NO_START : start;
    long to = end == null ? Board.NO_END : end;
    requireTimes(from, to);
    requireMetadata(metadata);
    if (status == BoardStatus.PAUSED || status == BoardStatus.COMPLETED) {
      throw Rejection.invalid("status", status, "DRAFT | ACTIVE for a new board").asException();
    }
    Season season = new Season(0, 0, 0, uuid, from, to, Board.DEFAULT_GRACE, SeasonStatus.ACTIVE);
    return new Board(
        0,
        tenant,
        UUID.randomUUID().toString(),
        uuid,
        0,
        0,
        1,
        podId,
        name == null ? uuid : name,
        order == null ? Order.HIGHEST_FIRST : order,
        ties == null ? Ties.EARLIEST_FIRST : ties,
        update == null ? Update.LATEST : update,
        places,
        bounds(places),
        visibility == null ? Visibility.PRIVATE : visibility,
        status == null ? BoardStatus.ACTIVE : status,
        from,
        to,
        metadata == null ? "{}" : metadata,
        createdBy,
        now,
        now,
        List.of(season));
  }

  private void requireUuid() {
    boolean ok = !uuid.isEmpty() && uuid.length() <= 128 && isOf(uuid, "-_.:~");
    if (!ok) {
      throw Rejection.invalid("UUID", uuid, "1..128 of letters, digits and - _ . : ~")
          .asException();
    }
  }

  private Bounds bounds(int places) {
    long low = bound("bounds.min", min, places, 0);
    long high = bound("bounds.max", max, places, Long.MAX_VALUE);
    if (low > high) {
      throw Rejection.invalid("bounds.min", min == null ? "0" : min, "at most bounds.max")
          .asException();
    }
    return new Bounds(low, high);
  }

  private static long bound(String field, @Nullable String text, int places, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    OptionalLong units = Units.parse(text, places);
    if (units.isEmpty()) {
      throw Rejection.invalid(
              field, text, "a number that fits 64 bits with " + places + " decimals")
          .asException();
    }
    return units.getAsLong();
  }

  /** What people read: names of boards, pods and keys. */
  public static void requireText(String field, @Nullable String text) {
    if (text != null
        && (text.isBlank()
            || text.codePointCount(0, text.length()) > MAX_NAME_LENGTH
            || !UserIds.isPrintable(text))) {
      throw Rejection.invalid(field, text, "1.." + MAX_NAME_LENGTH + " characters, none of control")
          .asException();
    }
  }

  static void requireTimes(long start, long end) {
    if (start >= end) {
      throw Rejection.of(
              ErrorCode.VALIDATION_ERROR, "endTime: not after startTime (expected: a later time)")
          .asException();
    }
  }

  static void requireMetadata(@Nullable String metadata) {
    if (metadata != null && metadata.length() > MAX_METADATA_LENGTH) {
      throw Rejection.invalid(
              "metadata",
              metadata.length() + " characters",
              "at most " + MAX_METADATA_LENGTH + " characters of JSON")
          .asException();
    }
  }
}
