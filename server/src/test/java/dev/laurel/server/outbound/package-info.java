@NullMarked
package dev.laurel.server.outbound;

import org.jspecify.annotations.NullMarked;
