package dev.laurel.core.events;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import java.util.List;

/**
 * A change that was accepted, as the ledger has it.
 *
 * @param board as it is now; what was in force then has the line's version
 * @param seasons those that it reached
 */
public record Change(
    LedgerLine line, Board board, String tenantId, String userId, List<Season> seasons) {}
