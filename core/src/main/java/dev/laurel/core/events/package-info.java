/**
 * Events from streams: what a source needs to know of the platform, and what the platform hears of
 * a source. Start with {@link dev.laurel.core.events.EventDecoder}.
 */
@NullMarked
package dev.laurel.core.events;

import org.jspecify.annotations.NullMarked;
