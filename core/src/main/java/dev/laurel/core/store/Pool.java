package dev.laurel.core.store;

/**
 * How the connections of one kind are used now.
 *
 * @param limit how many there may be
 * @param waiting who waits for one
 */
public record Pool(String name, int used, int limit, int waiting) {}
