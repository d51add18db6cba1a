@NullMarked
package dev.laurel.jwt;

import org.jspecify.annotations.NullMarked;
