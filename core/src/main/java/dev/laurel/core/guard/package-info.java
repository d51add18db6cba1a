/**
 * What is odd about a submission. Start with {@link dev.laurel.core.guard.Watch}: a board's rules
 * look at what a user and the board did before, and say what becomes of the next line.
 */
@NullMarked
package dev.laurel.core.guard;

import org.jspecify.annotations.NullMarked;
