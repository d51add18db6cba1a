@NullMarked
package dev.laurel.server.events;

import org.jspecify.annotations.NullMarked;
