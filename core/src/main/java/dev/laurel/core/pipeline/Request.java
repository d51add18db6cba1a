package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.SourcePartition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one caller for one board, committed together.
 *
 * @param caller the number of who sends it, for the ledger
 * @param wantsRanks whether the outcomes should carry ranks
 * @param source where the commands come from, if they can come again
 * @param client a keyed hash of where a user or a stranger sent them from, for the ledger
 */
public record Request(
    Board board,
    List<Command> commands,
    long caller,
    boolean wantsRanks,
    @Nullable Idempotency idempotency,
    @Nullable Source source,
    @Nullable String client) {

  public Request(
      Board board,
      List<Command> commands,
      long caller,
      boolean wantsRanks,
      @Nullable Idempotency idempotency,
      @Nullable Source source) {
    this(board, commands, caller, wantsRanks, idempotency, source, null);
  }

  public Request(
      Board board,
      List<Command> commands,
      long caller,
      boolean wantsRanks,
      @Nullable Idempotency idempotency) {
    this(board, commands, caller, wantsRanks, idempotency, null);
  }

  /** Whether it is about lines that are there, and about nothing else. */
  boolean isCorrection() {
    return commands.stream().allMatch(Command.Correct.class::isInstance);
  }

  /** Stands for the address that a user or a stranger called from; 0 if it is not known. */
  long address() {
    return client == null ? 0 : Long.parseUnsignedLong(client, 0, 16, 16);
  }

  /** The same for the board as it is in another epoch; it has the same numbers there. */
  Request on(Board found) {
    return new Request(found, commands, caller, wantsRanks, idempotency, source, client);
  }

  /** Whether it names lines, or places of a stream, which are others in another epoch. */
  boolean isOfOneEpoch() {
    return source != null || commands.stream().anyMatch(Command.Correct.class::isInstance);
  }

  /** The same, sent from there. */
  public Request from(@Nullable String sender) {
    return new Request(board, commands, caller, wantsRanks, idempotency, source, sender);
  }

  /**
   * Where in a stream the commands are. How far the board has taken the stream is stored with the
   * scores, and what is not after it is a duplicate. So requests of one partition for one board
   * must be submitted in its order, the next one when the last one is not refused.
   *
   * @param offsets of the commands, ascending
   */
  public record Source(SourcePartition partition, long[] offsets) {
    long last() {
      return offsets[offsets.length - 1];
    }
  }

  /**
   * A key that makes the whole request happen once.
   *
   * @param caller keys of different callers have nothing to do with each other
   * @param payload names what was asked, to tell a retry from a reuse
   * @param answer makes the answer that the first caller and every retry get; it is called before
   *     the commit, on the committer's thread, and must not fail or block
   * @param keptMillis after which the key may be used for something else
   */
  public record Idempotency(
      String caller, String key, Digest payload, AnswerEncoder answer, long keptMillis) {
    /** A key that is kept for ever. */
    public Idempotency(String caller, String key, Digest payload, AnswerEncoder answer) {
      this(caller, key, payload, answer, Long.MAX_VALUE);
    }
  }

  /** Writes the outcomes, in the order of the commands, as the caller's answer. */
  @FunctionalInterface
  public interface AnswerEncoder {
    byte[] encode(List<Outcome> outcomes);
  }
}
