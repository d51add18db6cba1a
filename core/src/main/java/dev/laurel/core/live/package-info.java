/**
 * What changed, told to those who watch, after it is durable and visible. Start with {@link
 * dev.laurel.core.live.LiveHub}; what is told of a range is {@link dev.laurel.core.live.Feed}.
 */
@NullMarked
package dev.laurel.core.live;

import org.jspecify.annotations.NullMarked;
