package dev.laurel.core.model;

import java.util.EnumSet;
import java.util.Set;

/** The life of a board. Only an ACTIVE board takes submissions; all can be read. */
public enum BoardStatus {
  DRAFT,
  ACTIVE,
  PAUSED,
  COMPLETED;

  /** DRAFT to ACTIVE, ACTIVE and PAUSED to each other, both to COMPLETED; COMPLETED is final. */
  public Set<BoardStatus> next() {
    return switch (this) {
      case DRAFT -> EnumSet.of(ACTIVE);
      case ACTIVE -> EnumSet.of(PAUSED, COMPLETED);
      case PAUSED -> EnumSet.of(ACTIVE, COMPLETED);
      case COMPLETED -> EnumSet.noneOf(BoardStatus.class);
    };
  }
}
