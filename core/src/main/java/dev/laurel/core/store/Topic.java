package dev.laurel.core.store;

/** A stream of events of a tenant. Names are unique on the platform. */
public record Topic(String topicName, long tenant, int partitions, long createdAt) {}
