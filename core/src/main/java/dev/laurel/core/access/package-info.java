/** Who calls: API keys and tenants. Start with {@link dev.laurel.core.access.Keys}. */
@NullMarked
package dev.laurel.core.access;

import org.jspecify.annotations.NullMarked;
