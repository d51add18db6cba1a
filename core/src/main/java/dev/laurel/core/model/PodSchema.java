package dev.laurel.core.model;

import org.jspecify.annotations.Nullable;

/**
 * How the events of a pod are read, in one version of them.
 *
 * @param version as the pod calls it
 * @param number of the version in its pod, in the order in which they were made
 */
public record PodSchema(
    String podId,
    String version,
    int number,
    Mappings mappings,
    TimestampFormat timestampFormat,
    ScoreType scoreType,
    Status status,
    long createdAt) {

  /**
   * Where in an event the fields of the common one are.
   *
   * @param eventId null if the pod's events have no id
   */
  public record Mappings(
      String userId, String score, String timestamp, String uuid, @Nullable String eventId) {}

  /** How a pod writes times. */
  public enum TimestampFormat {
    ISO_8601,
    EPOCH_MILLIS,
    EPOCH_SECONDS
  }

  /** What a pod's scores are. */
  public enum ScoreType {
    INTEGER,
    DOUBLE
  }

  /**
   * A draft can be tried only; a deprecated one still reads what comes; a removed one is history.
   */
  public enum Status {
    DRAFT,
    ACTIVE,
    DEPRECATED,
    REMOVED;

    /** Whether events are read by it. */
    public boolean reads() {
      return this == ACTIVE || this == DEPRECATED;
    }

    public boolean mayBecome(Status next) {
      return switch (this) {
        case DRAFT -> next == ACTIVE || next == REMOVED;
        case ACTIVE -> next == DEPRECATED;
        case DEPRECATED -> next == ACTIVE || next == REMOVED;
        case REMOVED -> false;
      };
    }
  }

  public PodSchema with(Status next) {
    return new PodSchema(
        podId, version, number, mappings, timestampFormat, scoreType, next, createdAt);
  }
}
