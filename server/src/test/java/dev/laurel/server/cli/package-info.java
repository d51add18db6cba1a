/** Tests of the package of the same name. */
@NullMarked
package dev.laurel.server.cli;

import org.jspecify.annotations.NullMarked;
