/** Tests of the package of the same name. */
@NullMarked
package dev.laurel.server.http;

import org.jspecify.annotations.NullMarked;
