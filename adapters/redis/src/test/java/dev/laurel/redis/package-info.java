@NullMarked
package dev.laurel.redis;

import org.jspecify.annotations.NullMarked;
