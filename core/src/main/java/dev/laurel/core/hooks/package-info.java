/**
 * Webhooks: who hears of a season's steps, and what is still to be sent. Start with {@link
 * dev.laurel.core.hooks.SeasonHooks}, which writes deliveries, and {@link
 * dev.laurel.core.hooks.Outgoing}, which hands them to whoever sends them.
 */
@NullMarked
package dev.laurel.core.hooks;

import org.jspecify.annotations.NullMarked;
