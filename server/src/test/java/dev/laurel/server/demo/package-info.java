@NullMarked
package dev.laurel.server.demo;

import org.jspecify.annotations.NullMarked;
