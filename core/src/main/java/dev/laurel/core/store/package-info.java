/**
 * The port to the durable truth. Start with {@link dev.laurel.core.store.Store}; the contract every
 * implementation passes is in testkit.
 */
@NullMarked
package dev.laurel.core.store;

import org.jspecify.annotations.NullMarked;
