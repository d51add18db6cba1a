/**
 * From an event's features to a score: what a board declares ({@link
 * dev.laurel.core.scoring.Features}), how it scores ({@link dev.laurel.core.scoring.Strategy}), and
 * both together as one function ({@link dev.laurel.core.scoring.Scorer}, start there). Expressions
 * are compiled behind the port {@link dev.laurel.core.scoring.ExpressionCompiler}; docs/scoring.md
 * is the language.
 */
@NullMarked
package dev.laurel.core.scoring;

import org.jspecify.annotations.NullMarked;
