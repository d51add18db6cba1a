package dev.laurel.core.model;

/** Who may read a board without a key. */
public enum Visibility {
  PRIVATE,
  PUBLIC
}
