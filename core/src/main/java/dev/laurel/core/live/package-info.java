/** What changed, told to those who watch, after it is durable and visible. */
@NullMarked
package dev.laurel.core.live;

import org.jspecify.annotations.NullMarked;
