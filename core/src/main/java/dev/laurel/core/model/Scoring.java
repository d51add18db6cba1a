package dev.laurel.core.model;

import java.util.List;

/**
 * How a board's events become scores.
 *
 * @param features what an event may carry; what is not declared is ignored
 */
public record Scoring(List<Feature> features, Strategy strategy) {}
