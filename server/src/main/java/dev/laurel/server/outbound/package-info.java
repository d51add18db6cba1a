/**
 * Calls that the server makes on behalf of tenants, and where they may go. Start with {@link
 * dev.laurel.server.outbound.OutboundClient}.
 */
@NullMarked
package dev.laurel.server.outbound;

import org.jspecify.annotations.NullMarked;
