package dev.laurel.core.model;

/**
 * How entries with the same score are numbered. The order of the rows is the same for all three.
 */
public enum Ties {
  /** The position: who reached the score first ranks first. 1, 2, 3, 4. */
  EARLIEST_FIRST,
  /** One more than the number of entries with a strictly better score. 1, 2, 2, 4. */
  SHARED,
  /** One more than the number of better scores. 1, 2, 2, 3. */
  DENSE
}
