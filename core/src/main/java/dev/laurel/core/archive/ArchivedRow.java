package dev.laurel.core.archive;

import dev.laurel.core.model.Entry;
import dev.laurel.core.store.FinalRank;

/**
 * A user's place in a season that is over, with the entry it comes from. All that the store had of
 * it, so that it can be brought back as it was.
 *
 * @param rank its user number is the store's and not kept: the id says who it is
 */
public record ArchivedRow(String userId, FinalRank rank, Entry entry) {}
