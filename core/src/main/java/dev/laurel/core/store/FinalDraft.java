package dev.laurel.core.store;

/**
 * Which list of final ranks a season is getting: equal ones have equal rows, whoever writes them.
 *
 * @param number another one whenever what was written is outdated, by a revert or by an edit that
 *     lets the season go on
 * @param names the tenant's last erasure when the list was begun, as equals go by their ids
 */
public record FinalDraft(long number, long names) {}
