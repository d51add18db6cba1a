package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.model.Visibility;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says when making a board; what is null gets the contract's default.
 *
 * @param status DRAFT to open it later; ACTIVE by default
 * @param metadata a JSON object
 * @param windows one for all time by default
 * @param scoring checked before; see {@code core.scoring}
 */
public record BoardDefinition(
    String uuid,
    @Nullable String podId,
    @Nullable String name,
    RulesDefinition rules,
    @Nullable Visibility visibility,
    @Nullable BoardStatus status,
    @Nullable Long start,
    @Nullable Long end,
    @Nullable String metadata,
    List<WindowDefinition> windows,
    @Nullable Scoring scoring,
    @Nullable Feed feed) {

  public static final int MAX_NAME_LENGTH = 200;
  public static final int MAX_METADATA_LENGTH = 16_384;

  private static final String GAME_PREFIX = "game:";
  private static final String MAX_GAME_SCORE = "2000000000";

  /** Where awards go unless another board is named: whole points that add up, for all to see. */
  public static final BoardDefinition GLOBAL =
      new BoardDefinition(
          "global",
          null,
          null,
          RulesDefinition.NONE.orElse(null, Update.SUM, 0, null),
          Visibility.PUBLIC,
          null,
          null,
          null,
          null,
          List.of(),
          null,
          null);

  /** The games' boards: best scores, whole numbers, as the games API has them. */
  public static BoardDefinition game(String gameId) {
    return new BoardDefinition(
        gameUuid(gameId),
        null,
        gameId,
        RulesDefinition.NONE,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  /** The games API's rule for ids: {@code ^[A-Za-z0-9_-]{1,64}$}. */
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
    Integer decimals = rules.decimals();
    if (decimals != null && decimals != 0) {
      throw Rejection.invalid("decimals", decimals, "0 for a game's board").asException();
    }
    return new BoardDefinition(
        uuid,
        podId,
        name == null ? uuid.substring(GAME_PREFIX.length()) : name,
        rules.orElse(null, Update.BEST, 0, MAX_GAME_SCORE),
        visibility,
        status,
        start,
        end,
        metadata,
        windows,
        scoring,
        feed);
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
    long from = start == null ? Board.NO_START : start;
    long to = end == null ? Board.NO_END : end;
    requireTimes(from, to);
    requireMetadata(metadata);
    if (status == BoardStatus.PAUSED || status == BoardStatus.COMPLETED) {
      throw Rejection.invalid("status", status, "DRAFT | ACTIVE for a new board").asException();
    }
    BoardVersion first =
        new BoardVersion(
            1,
            status == null ? BoardStatus.ACTIVE : status,
            name == null ? uuid : name,
            podId,
            rules.toRules(),
            visibility == null ? Visibility.PRIVATE : visibility,
            from,
            to,
            metadata == null ? "{}" : metadata,
            WindowDefinition.number(
                windows.isEmpty() ? List.of(WindowDefinition.ALL_TIME) : windows, List.of()),
            scoring,
            feed,
            now);
    return new Board(
        0, 0, tenant, UUID.randomUUID().toString(), uuid, 0, 0, createdBy, now, first, List.of());
  }

  private void requireUuid() {
    // Clients and proxies take . and .. in a path for something else, and nobody could reach it.
    boolean ok =
        !uuid.isEmpty()
            && uuid.length() <= 128
            && isOf(uuid, "-_.:~")
            && !uuid.equals(".")
            && !uuid.equals("..");
    if (!ok) {
      throw Rejection.invalid("UUID", uuid, "1..128 of letters, digits and - _ . : ~, not . or ..")
          .asException();
    }
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
