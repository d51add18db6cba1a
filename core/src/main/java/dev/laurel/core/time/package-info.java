/**
 * What time it is, and whether that can be believed: a clock that somebody sets, or that is set to
 * nonsense for a moment, must not end seasons. Start with {@link
 * dev.laurel.core.time.WatchedClock}.
 */
@NullMarked
package dev.laurel.core.time;

import org.jspecify.annotations.NullMarked;
