/**
 * The rank index: who stands where, from memory. Start with {@link dev.laurel.core.rank.Ranking},
 * what a reader sees; {@link dev.laurel.core.rank.RankTree} is how.
 */
@NullMarked
package dev.laurel.core.rank;

import org.jspecify.annotations.NullMarked;
