package dev.laurel.server.http;

import dev.laurel.server.settings.AccessLogMode;
import dev.laurel.server.settings.Settings;
import java.time.Duration;

/** What the HTTP server needs to know, resolved from the settings. */
public record HttpOptions(
    String host,
    int port,
    int eventLoops,
    int maxBodyBytes,
    int maxBlocking,
    Duration idle,
    Duration bodyTime,
    Duration shutdown,
    AccessLogMode accessLog) {

  public static HttpOptions of(Settings settings) {
    int loops = settings.get(Settings.EVENT_LOOPS);
    return new HttpOptions(
        settings.get(Settings.HOST),
        settings.get(Settings.PORT),
        loops == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors() - 1) : loops,
        settings.get(Settings.MAX_BODY_BYTES),
        settings.get(Settings.MAX_BLOCKING),
        Duration.ofSeconds(settings.get(Settings.IDLE_SECONDS)),
        Duration.ofSeconds(settings.get(Settings.BODY_SECONDS)),
        Duration.ofSeconds(settings.get(Settings.SHUTDOWN_SECONDS)),
        settings.get(Settings.ACCESS_LOG));
  }
}
