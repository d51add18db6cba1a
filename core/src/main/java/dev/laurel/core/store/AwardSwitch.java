package dev.laurel.core.store;

/**
 * Something that can be switched off.
 *
 * @param action empty for all awards of the tenant
 */
public record AwardSwitch(long tenant, String action) {}
