package dev.laurel.core.store;

/**
 * What some lines of the ledger are about.
 *
 * @param line the last of them
 * @param users whom they name, each once
 */
public record ChangedBoard(long board, long line, int[] users) {}
