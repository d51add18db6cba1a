/**
 * Reads: the same questions asked of the index or, where it cannot answer, of the store. Start with
 * {@link dev.laurel.core.query.Rankings}.
 */
@NullMarked
package dev.laurel.core.query;

import org.jspecify.annotations.NullMarked;
