package dev.laurel.core.events;

import dev.laurel.core.guard.Features;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Callers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that was accepted, as the ledger has it.
 *
 * @param board as it is now; what was in force then has the line's version
 * @param seasons those that it reached
 * @param award what is known of it beside, if it is an award; null otherwise
 */
public record Change(
    LedgerLine line,
    Board board,
    String tenantId,
    String userId,
    List<Season> seasons,
    @Nullable Features award) {
  /** The same whenever and to whomever it is told. */
  public String id() {
    return line.shard() + "-" + line.line() + "-" + Long.toHexString(line.stamp());
  }

  /** That of what is told of it as an award. */
  public String awardId() {
    return "award-" + id();
  }

  /** Whether the line gave points for an action. */
  static boolean isAward(LedgerLine line) {
    return line.kind().isSubmission() && Callers.isAwards(line.caller());
  }
}
