package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An edit that somebody asks for.
 *
 * @param change worked out on the board as it is when nobody else can edit it
 * @param onVersions the versions that the editor takes; null for any
 * @param dryRun whether it is only told what the edit would do
 */
public record Edit(
    Function<Board, BoardChange> change, @Nullable Set<Integer> onVersions, boolean dryRun) {

  public static Edit of(BoardChange change) {
    return new Edit(board -> change, null, false);
  }

  /** Two editors who have read the same must not both win: the second would undo the first. */
  BoardChange on(Board board) {
    if (onVersions != null && !onVersions.contains(board.version())) {
      throw Rejection.of(
              ErrorCode.VERSION_MISMATCH,
              "If-Match: %s (expected: %d, the version in force)"
                  .formatted(onVersions, board.version()),
              Map.of("version", board.version()))
          .asException();
    }
    return change.apply(board);
  }
}
