package dev.laurel.core.query;

/**
 * A place in a season to continue after. It names the place in the order, not a number of rows, so
 * that rows which come or go above it make no row appear twice or never. Callers get it sealed
 * ({@link Cursors}).
 *
 * @param user 0 if only an archive knew the user, who was erased since
 * @param position where the row stood: in ranks that were written down it stands there for good,
 *     whatever its user is called by now
 */
public record Cursor(long season, long score, long reached, int user, long position) {}
