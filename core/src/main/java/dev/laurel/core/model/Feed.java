package dev.laurel.core.model;

/**
 * Where a board's events come from, and how many it expects.
 *
 * @param topicName a registered topic of the tenant
 * @param writeQps expected events a second; the boards of a topic share its capacity
 */
public record Feed(String topicName, int writeQps) {}
