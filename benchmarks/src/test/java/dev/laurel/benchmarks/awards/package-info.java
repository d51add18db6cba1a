/** That the load counts right, before anybody is timed. */
@NullMarked
package dev.laurel.benchmarks.awards;

import org.jspecify.annotations.NullMarked;
