package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What may change of a board that exists; null leaves it as it is. Its rules (order, ties, update,
 * decimals, bounds) may not: entries were made under them.
 *
 * @param start {@link Board#NO_START} takes the start away
 * @param end {@link Board#NO_END} takes the end away
 * @param windows all of them: one that is not named ends now, one with a new schedule follows it
 *     after its running season
 * @param scoring checked before
 * @param podId {@link #NO_POD} takes the pod away
 */
public record BoardChange(
    @Nullable BoardStatus status,
    @Nullable String name,
    @Nullable Long start,
    @Nullable Long end,
    @Nullable Visibility visibility,
    @Nullable String metadata,
    @Nullable List<WindowDefinition> windows,
    @Nullable Scoring scoring,
    @Nullable Feed feed,
    @Nullable String podId) {
  public static final String NO_POD = "";

  /** With the pod that it has. */
  public BoardChange(
      @Nullable BoardStatus status,
      @Nullable String name,
      @Nullable Long start,
      @Nullable Long end,
      @Nullable Visibility visibility,
      @Nullable String metadata,
      @Nullable List<WindowDefinition> windows,
      @Nullable Scoring scoring,
      @Nullable Feed feed) {
    this(status, name, start, end, visibility, metadata, windows, scoring, feed, null);
  }

  public static BoardChange status(BoardStatus status) {
    return new BoardChange(status, null, null, null, null, null, null, null, null);
  }

  public static BoardChange windows(List<WindowDefinition> windows) {
    return new BoardChange(null, null, null, null, null, null, windows, null, null);
  }

  /**
   * The board's next version.
   *
   * @param everyWindow of all versions of the board
   */
  BoardVersion applyTo(Board board, List<Window> everyWindow, long now) {
    BoardDefinition.requireText("name", name);
    BoardDefinition.requireMetadata(metadata);
    if (!NO_POD.equals(podId)) {
      BoardDefinition.requireText("podId", podId);
    }
    BoardStatus next = status == null ? board.status() : status;
    Set<BoardStatus> possible = board.status().next();
    if (next != board.status() && !possible.contains(next)) {
      String expected = possible.stream().map(Enum::name).collect(Collectors.joining(" | "));
      throw Rejection.of(
              ErrorCode.ILLEGAL_STATUS_CHANGE,
              "status: %s (expected: %s, as it is %s)"
                  .formatted(next, expected.isEmpty() ? "no change" : expected, board.status()),
              Map.of("from", board.status().name(), "to", next.name()))
          .asException();
    }
    long from = start == null ? board.start() : start;
    long to = end == null ? board.end() : end;
    BoardDefinition.requireTimes(from, to);
    BoardVersion old = board.current();
    return new BoardVersion(
        old.number() + 1,
        next,
        name == null ? old.name() : name,
        podId == null ? old.podId() : podId.equals(NO_POD) ? null : podId,
        old.rules(),
        visibility == null ? old.visibility() : visibility,
        from,
        to,
        metadata == null ? old.metadata() : metadata,
        windows == null ? old.windows() : WindowDefinition.number(windows, everyWindow),
        scoring == null ? old.scoring() : scoring,
        feed == null ? old.feed() : feed,
        now);
  }
}
