package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A producer of a tenant, whose events have schemas of its own. Its id is unique on the platform.
 *
 * @param versionField the path of the field in which an event names its schema's version
 * @param versionHeader the name of the Kafka header that does; at most one of the two is there
 */
public record Pod(
    String podId,
    long tenant,
    @Nullable String versionField,
    @Nullable String versionHeader,
    long createdAt) {}
