/** Boards to look at before one has any of one's own. */
@NullMarked
package dev.laurel.server.demo;

import org.jspecify.annotations.NullMarked;
