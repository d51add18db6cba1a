package dev.laurel.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may be edited of a board, as it is at one version.
 *
 * @param number from 1, one more with every edit
 * @param start when the board begins to take events, {@link Board#NO_START} for always
 * @param end {@link Board#NO_END} for never
 * @param metadata a JSON object
 * @param windows at least one; the first answers when a caller names none
 * @param scoring how events become scores; null for a board that is given scores
 * @param feed where its events come from; null if nobody said
 */
public record BoardVersion(
    int number,
    BoardStatus status,
    String name,
    @Nullable String podId,
    Rules rules,
    Visibility visibility,
    long start,
    long end,
    String metadata,
    List<Window> windows,
    @Nullable Scoring scoring,
    @Nullable Feed feed,
    long updatedAt) {

  /** Whether only the number and the time differ. */
  public boolean saysTheSameAs(BoardVersion other) {
    return equals(
        new BoardVersion(
            number,
            other.status,
            other.name,
            other.podId,
            other.rules,
            other.visibility,
            other.start,
            other.end,
            other.metadata,
            other.windows,
            other.scoring,
            other.feed,
            updatedAt));
  }

  public BoardVersion withStatus(int version, BoardStatus next, long now) {
    return new BoardVersion(
        version,
        next,
        name,
        podId,
        rules,
        visibility,
        start,
        end,
        metadata,
        windows,
        scoring,
        feed,
        now);
  }
}
