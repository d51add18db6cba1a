/**
 * Rules of awards as documents and files. Start with {@link dev.laurel.server.awards.RulesFile}.
 */
@NullMarked
package dev.laurel.server.awards;

import org.jspecify.annotations.NullMarked;
