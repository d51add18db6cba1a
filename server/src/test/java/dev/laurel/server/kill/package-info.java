/**
 * Killing the server while it is written to. Start with {@link dev.laurel.server.kill.KillIT}; what
 * must be there afterwards is computed by {@link dev.laurel.server.kill.Expected}.
 */
@NullMarked
package dev.laurel.server.kill;

import org.jspecify.annotations.NullMarked;
