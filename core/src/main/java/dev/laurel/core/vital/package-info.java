/**
 * Threads that a node cannot do without: {@link dev.laurel.core.vital.Vital} says whether one has
 * ended though nobody ended it, {@link dev.laurel.core.vital.Failures} keeps it from that.
 */
@NullMarked
package dev.laurel.core.vital;

import org.jspecify.annotations.NullMarked;
