/**
 * What actions are worth, tenant by tenant: rules with versions, signatures and switches. Start
 * with {@link dev.laurel.core.award.Awards}.
 */
@NullMarked
package dev.laurel.core.award;

import org.jspecify.annotations.NullMarked;
