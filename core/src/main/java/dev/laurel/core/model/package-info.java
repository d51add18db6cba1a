/**
 * The words of Laurel as values: boards, seasons, entries, submissions and outcomes, and the two
 * pure rules everything else obeys. Start with {@link dev.laurel.core.model.UpdateRule} (what a
 * submission does to an entry) and {@link dev.laurel.core.model.Order} (who ranks before whom).
 */
@NullMarked
package dev.laurel.core.model;

import org.jspecify.annotations.NullMarked;
