/**
 * The runnable server. Start with {@link dev.laurel.server.Laurel}, which wires everything with
 * plain {@code new}; {@link dev.laurel.server.Main} is the command line before it.
 */
@NullMarked
package dev.laurel.server;

import org.jspecify.annotations.NullMarked;
