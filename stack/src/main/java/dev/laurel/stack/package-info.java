/**
 * Private servers on free ports of this machine, from Maven artifacts: for tests, and to try a
 * cluster out without installing anything. Start with {@link dev.laurel.stack.PostgresServer},
 * {@link dev.laurel.stack.RedisServer} and {@link dev.laurel.stack.KafkaServer}; {@link
 * dev.laurel.stack.FaultProxy} stands in front of one and misbehaves.
 */
@NullMarked
package dev.laurel.stack;

import org.jspecify.annotations.NullMarked;
