/**
 * Whether an index says what the store says, and what is done if not: {@link
 * dev.laurel.core.repair.SeasonCheck} compares, {@link dev.laurel.core.repair.IndexChecks} is what
 * others ask for, {@link dev.laurel.core.repair.RepairQueue} remembers what is wrong, {@link
 * dev.laurel.core.repair.CheckJob} looks by the clock.
 */
@NullMarked
package dev.laurel.core.repair;

import org.jspecify.annotations.NullMarked;
