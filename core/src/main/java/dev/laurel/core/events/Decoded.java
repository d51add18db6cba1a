package dev.laurel.core.events;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import org.jspecify.annotations.Nullable;

/** What an event of a stream is. */
public sealed interface Decoded {
  /** The version of the schema it was read by, if it has one. */
  @Nullable String schemaVersion();

  /** Something to do on a board. */
  record Accepted(Board board, Command command, @Nullable String schemaVersion)
      implements Decoded {}

  /** Nothing that could be done. */
  record Refused(Rejection rejection, @Nullable String schemaVersion) implements Decoded {}
}
