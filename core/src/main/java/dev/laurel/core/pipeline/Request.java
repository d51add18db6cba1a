package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.Digest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one caller for one board, committed together.
 *
 * @param caller the number of the API key, for the ledger
 * @param wantsRanks whether the outcomes should carry ranks
 */
public record Request(
    Board board,
    List<Command> commands,
    long caller,
    boolean wantsRanks,
    @Nullable Idempotency idempotency) {

  /**
   * A key that makes the whole request happen once.
   *
   * @param caller keys of different callers have nothing to do with each other
   * @param payload names what was asked, to tell a retry from a reuse
   * @param answer makes the answer that the first caller and every retry get; it is called before
   *     the commit, on the committer's thread, and must not fail or block
   */
  public record Idempotency(String caller, String key, Digest payload, AnswerEncoder answer) {}

  /** Writes the outcomes, in the order of the commands, as the caller's answer. */
  @FunctionalInterface
  public interface AnswerEncoder {
    byte[] encode(List<Outcome> outcomes);
  }
}
