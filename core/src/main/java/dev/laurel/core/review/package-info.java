/**
 * What people decide about lines of the ledger: to undo them, to look at those that a board's guard
 * found odd. Start with {@link dev.laurel.core.review.Reverts}.
 */
@NullMarked
package dev.laurel.core.review;

import org.jspecify.annotations.NullMarked;
