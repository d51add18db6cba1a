package dev.laurel.core.scoring;

/**
 * An attribute that events of a board carry.
 *
 * @param required an event without it is refused; else it is null in the expression
 */
public record Feature(String name, FeatureType type, boolean required) {}
