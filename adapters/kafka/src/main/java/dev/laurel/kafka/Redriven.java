package dev.laurel.kafka;

import dev.laurel.core.events.Decoded;
import dev.laurel.core.pipeline.Command;

/**
 * An event that comes back from the dead letters has a new place in its topic, which says nothing
 * about how often it came. So, unless it has an id, its first place is its id.
 */
final class Redriven {
  private Redriven() {}

  static Decoded once(Decoded.Accepted accepted, String origin) {
    String id = "redriven:" + origin;
    Command command =
        switch (accepted.command()) {
          case Command.Score s when s.eventId() == null ->
              new Command.Score(s.userId(), s.value(), s.mode(), s.at(), id, s.metadata());
          case Command.Event e when e.eventId() == null ->
              new Command.Event(e.userId(), e.features(), e.at(), id, e.metadata());
          case Command other -> other;
        };
    return new Decoded.Accepted(accepted.board(), command, accepted.schemaVersion());
  }
}
