package dev.laurel.core.model;

/** The life of a board. Only an ACTIVE board takes submissions; all can be read. */
public enum BoardStatus {
  DRAFT,
  ACTIVE,
  PAUSED,
  COMPLETED;

  /** DRAFT to ACTIVE, ACTIVE and PAUSED to each other, both to COMPLETED; COMPLETED is final. */
  public boolean canBecome(BoardStatus next) {
    return switch (this) {
      case DRAFT -> next == ACTIVE;
      case ACTIVE -> next == PAUSED || next == COMPLETED;
      case PAUSED -> next == ACTIVE || next == COMPLETED;
      case COMPLETED -> false;
    };
  }
}
