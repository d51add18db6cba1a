@NullMarked
package dev.laurel.stack;

import org.jspecify.annotations.NullMarked;
