package dev.laurel.core.model;

/** The life of a season. */
public enum SeasonStatus {
  SCHEDULED,
  ACTIVE,
  COMPLETED,
  ARCHIVED
}
