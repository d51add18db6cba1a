package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Visibility;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What may change of a board that exists; null leaves it as it is. Order, decimals, ties, the
 * update rule and the bounds may not: entries were made under them.
 *
 * @param start {@link Board#NO_START} takes the start away
 * @param end {@link Board#NO_END} takes the end away
 */
public record BoardChange(
    @Nullable BoardStatus status,
    @Nullable String name,
    @Nullable Long start,
    @Nullable Long end,
    @Nullable Visibility visibility,
    @Nullable String metadata) {

  /** The board's next version. */
  Board applyTo(Board board, long now) {
    BoardDefinition.requireText("name", name);
    BoardDefinition.requireMetadata(metadata);
    BoardStatus next = status == null ? board.status() : status;
    if (next != board.status() && !board.status().canBecome(next)) {
      throw Rejection.of(
              ErrorCode.ILLEGAL_STATUS_CHANGE,
              "status: " + next + " (expected: a status that " + board.status() + " can become)",
              Map.of("from", board.status().name(), "to", next.name()))
          .asException();
    }
    long from = start == null ? board.start() : start;
    long to = end == null ? board.end() : end;
    BoardDefinition.requireTimes(from, to);
    List<Season> seasons =
        board.seasons().stream()
            .map(
                s ->
                    new Season(
                        s.id(), s.board(), s.window(), s.label(), from, to, s.grace(), s.status()))
            .toList();
    return new Board(
        board.id(),
        board.tenant(),
        board.leaderboardId(),
        board.uuid(),
        board.shard(),
        board.revision(),
        board.version() + 1,
        board.podId(),
        name == null ? board.name() : name,
        board.order(),
        board.ties(),
        board.update(),
        board.decimals(),
        board.bounds(),
        visibility == null ? board.visibility() : visibility,
        next,
        from,
        to,
        metadata == null ? board.metadata() : metadata,
        board.createdBy(),
        board.createdAt(),
        now,
        seasons);
  }
}
