/** The rivals are right before they are slow. */
@NullMarked
package dev.laurel.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
