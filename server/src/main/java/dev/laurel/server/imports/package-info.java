/**
 * {@code laurel import}: files of scores into a board of a running server, through its batch route.
 * Start with {@link dev.laurel.server.imports.Importer}.
 */
@NullMarked
package dev.laurel.server.imports;

import org.jspecify.annotations.NullMarked;
