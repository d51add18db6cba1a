/** Tests of the package of the same name. */
@NullMarked
package dev.laurel.server.settings;

import org.jspecify.annotations.NullMarked;
