/**
 * The store as SQL. Start with {@link dev.laurel.sql.SqliteStore}, which opens one, then {@link
 * dev.laurel.sql.SqlStore}: how a work becomes a transaction. The statements are in one class a
 * table; what differs between databases is in {@link dev.laurel.sql.Dialect} and the migrations.
 */
@NullMarked
package dev.laurel.sql;

import org.jspecify.annotations.NullMarked;
