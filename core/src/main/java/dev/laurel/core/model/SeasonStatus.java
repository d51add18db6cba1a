package dev.laurel.core.model;

/**
 * The life of a season, in order. The documents know four of these; the others are steps of the
 * same four that jobs leave behind, so that each is done once.
 */
public enum SeasonStatus {
  /** Made ahead of its start. */
  SCHEDULED,
  ACTIVE,
  /** Active, and it was announced that the end is near. */
  CLOSING,
  /** Over; late events of its time are still taken until the grace period ends. */
  COMPLETED,
  /** No event is taken any more; its final ranks are being written. */
  FROZEN,
  /** The final ranks and the prizes are written. */
  FINAL,
  /** Also in the archive. */
  ARCHIVED,
  /** In the archive only. */
  PURGED;

  /** What callers see: SCHEDULED, ACTIVE, COMPLETED or ARCHIVED. */
  public SeasonStatus shown() {
    return switch (this) {
      case SCHEDULED, ACTIVE, COMPLETED, ARCHIVED -> this;
      case CLOSING -> ACTIVE;
      case FROZEN, FINAL -> COMPLETED;
      case PURGED -> ARCHIVED;
    };
  }

  /** Whether events can still be written to it; {@link Season#isOpen} also looks at the clock. */
  public boolean isWritable() {
    return compareTo(FROZEN) < 0;
  }
}
