/**
 * Events as JSON: those of tenants' topics, and those of pods. Start with {@link
 * dev.laurel.server.events.JsonEvents}.
 */
@NullMarked
package dev.laurel.server.events;

import org.jspecify.annotations.NullMarked;
