package dev.laurel.core.scoring;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Scoring;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The scorers of boards, each compiled once a version. Thread-safe. */
public final class Scorers {
  private final ExpressionCompiler compiler;
  private final ConcurrentHashMap<Long, Made> byBoard = new ConcurrentHashMap<>();

  private record Made(long epoch, int version, Scorer scorer) {
    boolean isOf(Board board) {
      return version == board.version() && epoch == board.epoch();
    }
  }

  public Scorers(ExpressionCompiler compiler) {
    this.compiler = compiler;
  }

  /** Null for a board that is given scores. */
  public @Nullable Scorer of(Board board) {
    Scoring scoring = board.scoring();
    if (scoring == null) {
      return null;
    }
    Made made = byBoard.get(board.id());
    if (made == null || !made.isOf(board)) {
      made = new Made(board.epoch(), board.version(), make(scoring, board.decimals()));
      byBoard.put(board.id(), made);
    }
    return made.scorer;
  }

  /**
   * @throws dev.laurel.core.model.RejectedException if features and strategy make no sense
   */
  public Scorer make(Scoring scoring, int decimals) {
    return Scorer.of(scoring.strategy(), Features.of(scoring.features()), decimals, compiler);
  }
}
