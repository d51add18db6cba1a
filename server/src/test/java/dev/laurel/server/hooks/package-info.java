@NullMarked
package dev.laurel.server.hooks;

import org.jspecify.annotations.NullMarked;
