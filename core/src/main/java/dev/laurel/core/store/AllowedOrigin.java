package dev.laurel.core.store;

/**
 * Whose pages may read a tenant's answers.
 *
 * @param origin as browsers send it, or {@code *} for everybody's
 */
public record AllowedOrigin(long tenant, String origin) {}
