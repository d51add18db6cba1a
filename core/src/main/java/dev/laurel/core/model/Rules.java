package dev.laurel.core.model;

/**
 * How a board compares scores and what a submission does. Entries are made under them, so they stay
 * as they are for the life of the board.
 *
 * @param update what a submission does that names no mode of its own
 * @param decimals places after the point; scores are kept in units of them
 */
public record Rules(Order order, Ties ties, Update update, int decimals, Bounds bounds) {}
