package dev.laurel.core.events;

import dev.laurel.core.store.Digest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that was refused, as its dead-letter topic has it.
 *
 * @param topicId of the dead-letter topic
 * @param origin where the event was at first, however often it came back: {@code topicId/p/offset}
 * @param attempt how often it was refused
 * @param cutFrom how many bytes the event's value had, if it was too large for a letter and this
 *     one has only its beginning; else 0
 * @param headers the event's own
 */
public record DeadLetter(
    Place place,
    Digest topicId,
    String origin,
    String code,
    String reason,
    @Nullable String schemaVersion,
    long at,
    int attempt,
    long cutFrom,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<Header> headers) {

  /** Whether all of the event is here, so that it can be sent again. */
  public boolean isWhole() {
    return cutFrom == 0;
  }

  /** A header of an event. */
  public record Header(String name, byte @Nullable [] value) {}

  /**
   * Where a letter is.
   *
   * @param topic the topic that the event came from
   * @param partition of the dead-letter topic, like the offset
   */
  public record Place(String topic, int partition, long offset) {
    /** What {@link #toString} makes; null if it is none. */
    public static @Nullable Place parse(String text) {
      String[] parts = text.split("/", -1);
      boolean ok =
          parts.length == 3
              && !parts[0].isEmpty()
              && parts[1].matches("[0-9]{1,9}")
              && parts[2].matches("[0-9]{1,18}");
      return ok ? new Place(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])) : null;
    }

    @Override
    public String toString() {
      return topic + "/" + partition + "/" + offset;
    }
  }
}
