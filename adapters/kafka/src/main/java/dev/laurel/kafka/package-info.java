/**
 * Events from Kafka, and what could not be taken of them. Start with {@link
 * dev.laurel.kafka.KafkaSource}.
 */
@NullMarked
package dev.laurel.kafka;

import org.jspecify.annotations.NullMarked;
