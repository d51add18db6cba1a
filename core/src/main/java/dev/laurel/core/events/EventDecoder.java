package dev.laurel.core.events;

import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Knows which streams there are and reads their events. Never throws for bad input. */
public interface EventDecoder {
  /** Takes over what changed in the configuration. May fail as the store does. */
  void follow();

  /** The topics of all tenants whose events can be read. */
  Set<String> topics();

  /**
   * @param value null for a record without one
   * @param headers the record's header of a name; null if it has none
   */
  Decoded decode(String topic, byte @Nullable [] value, Function<String, @Nullable String> headers);
}
