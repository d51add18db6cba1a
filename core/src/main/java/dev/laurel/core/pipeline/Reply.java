package dev.laurel.core.pipeline;

import dev.laurel.core.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a request. When it arrives, what was accepted is durable and visible. */
public sealed interface Reply {
  /**
   * @param outcomes in the order of the commands
   * @param answer what the idempotency key's encoder made, if there was one
   */
  record Done(List<Outcome> outcomes, byte @Nullable [] answer) implements Reply {}

  /** The idempotency key was used before, for the same payload: this is what was answered then. */
  record Replayed(byte[] answer) implements Reply {}

  /** Nothing of the request was done. */
  record Refused(Rejection rejection) implements Reply {}
}
