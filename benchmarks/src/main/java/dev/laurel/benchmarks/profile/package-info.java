/** {@code benchmarks/profile}: where the time of a read and of a write goes. */
@NullMarked
package dev.laurel.benchmarks.profile;

import org.jspecify.annotations.NullMarked;
