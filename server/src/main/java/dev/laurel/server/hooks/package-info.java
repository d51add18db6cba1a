/** Sends webhooks: {@link dev.laurel.server.hooks.WebhookSender}. */
@NullMarked
package dev.laurel.server.hooks;

import org.jspecify.annotations.NullMarked;
