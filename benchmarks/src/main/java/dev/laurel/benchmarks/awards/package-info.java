/** Awards at a given rate: start with {@link dev.laurel.benchmarks.awards.AwardFigure}. */
@NullMarked
package dev.laurel.benchmarks.awards;

import org.jspecify.annotations.NullMarked;
