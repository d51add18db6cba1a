package dev.laurel.server.http;

import dev.laurel.server.settings.AccessLogMode;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP server needs to know, resolved from the settings.
 *
 * @param tls null for plain HTTP
 * @param hsts what browsers are told about HTTPS; null for nothing
 */
public record HttpOptions(
    String host,
    int port,
    int eventLoops,
    int maxBodyBytes,
    int maxBlocking,
    Patience patience,
    Duration shutdown,
    AccessLogMode accessLog,
    @Nullable TlsFiles tls,
    @Nullable String hsts) {
  private static final int HALF_A_YEAR = 15_552_000;
  private static final int OPS_CALLS = 16;

  public static HttpOptions of(Configuration settings) {
    TlsFiles tls = TlsFiles.of(settings);
    int loops = settings.get(Settings.EVENT_LOOPS);
    return new HttpOptions(
        settings.get(Settings.HOST),
        settings.get(Settings.PORT),
        loops == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors() - 1) : loops,
        settings.get(Settings.MAX_BODY_BYTES),
        settings.get(Settings.MAX_BLOCKING),
        Patience.of(settings),
        Duration.ofSeconds(settings.get(Settings.SHUTDOWN_SECONDS)),
        settings.get(Settings.ACCESS_LOG),
        tls,
        hsts(settings.get(Settings.HSTS_SECONDS), tls != null));
  }

  /** Null without a listener of its own for health and metrics. */
  public static @Nullable HttpOptions ofOps(Configuration settings) {
    int port = settings.get(Settings.OPS_PORT);
    return port == 0
        ? null
        : new HttpOptions(
            settings.get(Settings.OPS_HOST),
            port,
            1,
            settings.get(Settings.MAX_BODY_BYTES),
            OPS_CALLS,
            Patience.of(settings),
            Duration.ofSeconds(settings.get(Settings.SHUTDOWN_SECONDS)),
            settings.get(Settings.ACCESS_LOG),
            null,
            null);
  }

  /** Whether routes for services are for those with a certificate only. */
  boolean needsCertificates() {
    return tls != null && tls.servicesNeedCertificates();
  }

  /** Of this host alone: what its subdomains speak is not ours to say. */
  private static @Nullable String hsts(int asked, boolean tls) {
    int seconds = asked >= 0 ? asked : tls ? HALF_A_YEAR : 0;
    return seconds == 0 ? null : "max-age=" + seconds;
  }
}
