/** Tests of {@code laurel import}. */
@NullMarked
package dev.laurel.server.imports;

import org.jspecify.annotations.NullMarked;
