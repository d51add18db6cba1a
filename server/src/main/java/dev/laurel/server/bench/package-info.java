/**
 * {@code laurel bench}: a load driver. Start with {@link dev.laurel.server.bench.Bench}, which says
 * what happens in which order; {@link dev.laurel.server.bench.LoadLoop} is where the time goes.
 */
@NullMarked
package dev.laurel.server.bench;

import org.jspecify.annotations.NullMarked;
