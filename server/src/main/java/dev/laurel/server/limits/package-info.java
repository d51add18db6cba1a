/** How often callers may call. Start with {@link dev.laurel.server.limits.RateLimits}. */
@NullMarked
package dev.laurel.server.limits;

import org.jspecify.annotations.NullMarked;
