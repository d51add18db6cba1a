/**
 * Streams over HTTP: many connections that get the same bytes. Start with {@link
 * dev.laurel.server.live.LiveStreams}; what is told, and when, is decided in {@code core/live}.
 */
@NullMarked
package dev.laurel.server.live;

import org.jspecify.annotations.NullMarked;
