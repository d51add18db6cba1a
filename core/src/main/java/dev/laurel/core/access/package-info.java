/**
 * Who calls: API keys, tenants and the issuers of tokens. Start with {@link
 * dev.laurel.core.access.Keys}.
 */
@NullMarked
package dev.laurel.core.access;

import org.jspecify.annotations.NullMarked;
