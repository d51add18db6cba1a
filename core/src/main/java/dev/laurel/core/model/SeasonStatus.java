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
  /** Somebody asked for it to be archived before its time. */
  ARCHIVING,
  /** Also in the archive. */
  ARCHIVED,
  /** The archive answers; the rows here are being removed. */
  PURGING,
  /** In the archive only. */
  PURGED,
  /** The archive answers; the rows are being brought back, and then it is ARCHIVED again. */
  RESTORING;

  /** What callers see: SCHEDULED, ACTIVE, COMPLETED or ARCHIVED. */
  public SeasonStatus shown() {
    return switch (this) {
      case SCHEDULED, ACTIVE, COMPLETED, ARCHIVED -> this;
      case CLOSING -> ACTIVE;
      case FROZEN, FINAL, ARCHIVING -> COMPLETED;
      case PURGING, PURGED, RESTORING -> ARCHIVED;
    };
  }

  /** Whether only the archive has all of it. */
  public boolean isAway() {
    return compareTo(PURGING) >= 0;
  }

  /** Whether it can be corrected: what is in the archive is said to be final by a checksum. */
  public boolean isCorrectable() {
    return compareTo(ARCHIVING) < 0;
  }

  /** Whether events can still be written to it; {@link Season#isOpen} also looks at the clock. */
  public boolean isWritable() {
    return compareTo(FROZEN) < 0;
  }
}
