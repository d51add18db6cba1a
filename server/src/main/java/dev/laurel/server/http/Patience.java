package dev.laurel.server.http;

import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.time.Duration;

/**
 * How long a server waits for its callers.
 *
 * @param idle for the next request
 * @param head for the rest of a request's line and headers
 * @param body for the whole of a body
 * @param bodyRate bytes a second that a body must bring over {@link #WINDOW}; 0 for no demand
 */
record Patience(Duration idle, Duration head, Duration body, int bodyRate) {
  /** Over which a rate is measured: networks have their pauses. */
  static final Duration WINDOW = Duration.ofSeconds(5);

  static Patience of(Configuration settings) {
    return new Patience(
        Duration.ofSeconds(settings.get(Settings.IDLE_SECONDS)),
        Duration.ofSeconds(settings.get(Settings.HEAD_SECONDS)),
        Duration.ofSeconds(settings.get(Settings.BODY_SECONDS)),
        settings.get(Settings.BODY_RATE));
  }
}
