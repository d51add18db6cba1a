/**
 * A small server under mixed load for an hour, and whether it stays as it was. Start with {@link
 * dev.laurel.benchmarks.soak.Soak}.
 */
@NullMarked
package dev.laurel.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
