/**
 * Boards as configuration: how one is defined, changed, found, and which season an event belongs
 * to. Start with {@link dev.laurel.core.board.Boards}.
 */
@NullMarked
package dev.laurel.core.board;

import org.jspecify.annotations.NullMarked;
