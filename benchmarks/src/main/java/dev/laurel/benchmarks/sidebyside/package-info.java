/**
 * {@code benchmarks/side-by-side}: Laurel and its rivals, one after the other and over again, on
 * one machine. Start reading at {@link dev.laurel.benchmarks.sidebyside.SideBySide}.
 */
@NullMarked
package dev.laurel.benchmarks.sidebyside;

import org.jspecify.annotations.NullMarked;
