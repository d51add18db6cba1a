@NullMarked
package dev.laurel.server.limits;

import org.jspecify.annotations.NullMarked;
