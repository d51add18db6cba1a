/**
 * Scoring by expression, with SpEL's grammar and without SpEL's evaluator. Text goes through {@link
 * dev.laurel.spel.SourceGuard} (bounds, before anything recursive sees it), Spring's parser (text
 * to tree), and {@link dev.laurel.spel.Translator} (an allow-list walk from that tree to our own
 * closures over exact numbers). What the translator does not know is refused by name, and nothing
 * of the tree is ever evaluated: there is no reflection, conversion or accessor to escape to.
 */
@NullMarked
package dev.laurel.spel;

import org.jspecify.annotations.NullMarked;
