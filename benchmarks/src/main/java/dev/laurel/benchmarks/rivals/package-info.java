/**
 * What users would run instead of Laurel, written as well as one can: a rival that is easily beaten
 * proves nothing. {@code benchmarks/side-by-side} starts them; each also runs by itself.
 */
@NullMarked
package dev.laurel.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
