package dev.laurel.core.model;

/** What kind of value a feature has. */
public enum FeatureType {
  STRING,
  INTEGER,
  FLOAT,
  BOOLEAN
}
