@NullMarked
package dev.laurel.spel;

import org.jspecify.annotations.NullMarked;
