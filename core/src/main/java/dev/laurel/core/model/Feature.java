package dev.laurel.core.model;

/**
 * A value that events of a board carry, by its name.
 *
 * @param required whether an event without it is refused
 */
public record Feature(String name, FeatureType type, boolean required) {}
