package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Strategy;
import dev.laurel.core.model.Window;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How many boards a tenant has at most, and how much memory their definitions take: every node
 * keeps all of them.
 *
 * @param bytes of all definitions of a tenant, by an estimate
 */
public record BoardLimits(int boards, long bytes) {
  public static final BoardLimits NONE = new BoardLimits(Integer.MAX_VALUE, Long.MAX_VALUE);

  /** Of one definition; prizes with long rewards are what makes one large. */
  public static final int MAX_DEFINITION_BYTES = 262_144;

  private static final int BOARD_BYTES = 1000;
  private static final int PART_BYTES = 100;

  /**
   * @param all the tenant's, the one that changes among them
   * @param before how it was; null for a new one
   */
  void require(Collection<Board> all, @Nullable BoardVersion before, BoardVersion next) {
    if (before == null && all.size() >= boards) {
      throw Rejection.of(
              ErrorCode.TOO_MANY_BOARDS,
              "boards: one more (expected: at most "
                  + boards
                  + " a tenant, by the setting max-boards)")
          .asException();
    }
    long size = bytes(next);
    long had = before == null ? 0 : bytes(before);
    if (size <= had) {
      return;
    }
    if (size > MAX_DEFINITION_BYTES) {
      throw Rejection.invalid(
              "board", size + " bytes", "at most " + MAX_DEFINITION_BYTES + ", prizes included")
          .asException();
    }
    long others = all.stream().mapToLong(board -> bytes(board.current())).sum() - had;
    if (others + size > bytes) {
      throw Rejection.of(
              ErrorCode.TOO_MANY_BOARDS,
              "boards: "
                  + (others + size)
                  + " bytes of definitions (expected: at most "
                  + bytes
                  + " a tenant, by the setting board-megabytes)")
          .asException();
    }
  }

  /** An estimate of what a definition takes in memory. */
  static long bytes(BoardVersion version) {
    long bytes = BOARD_BYTES;
    bytes += text(version.name()) + text(version.metadata());
    for (Window window : version.windows()) {
      bytes += PART_BYTES + text(window.name());
      for (PrizeTier tier : window.prizes()) {
        bytes += PART_BYTES + text(tier.name()) + text(tier.reward());
      }
    }
    Scoring scoring = version.scoring();
    if (scoring != null) {
      bytes += (long) PART_BYTES * scoring.features().size();
      bytes +=
          switch (scoring.strategy()) {
            case Strategy.Direct(var feature) -> text(feature);
            case Strategy.Expression(var text) -> text(text);
          };
    }
    return bytes;
  }

  /** As Java keeps it: two bytes a character if one of them is beyond Latin-1. */
  private static long text(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    return text.length() * (text.chars().anyMatch(c -> c > 255) ? 2L : 1L);
  }
}
