/**
 * What every adapter must do, as tests to extend. Start with {@link
 * dev.laurel.testkit.StoreContract}; beside it are a clock to turn by hand and seeds that a failing
 * random test names.
 */
@NullMarked
package dev.laurel.testkit;

import org.jspecify.annotations.NullMarked;
