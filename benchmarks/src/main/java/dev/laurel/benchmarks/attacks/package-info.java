/**
 * Attacks on a small server, and what honest callers notice of them. Start with {@link
 * dev.laurel.benchmarks.attacks.Attacks}.
 */
@NullMarked
package dev.laurel.benchmarks.attacks;

import org.jspecify.annotations.NullMarked;
