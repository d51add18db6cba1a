/**
 * Private servers on free ports of this machine, from Maven artifacts: for tests, and to try a
 * cluster out without installing anything. Start with {@link dev.laurel.stack.KafkaServer}.
 */
@NullMarked
package dev.laurel.stack;

import org.jspecify.annotations.NullMarked;
