/** Tests of the load driver. */
@NullMarked
package dev.laurel.server.bench;

import org.jspecify.annotations.NullMarked;
