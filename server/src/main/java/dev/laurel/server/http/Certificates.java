package dev.laurel.server.http;

import dev.laurel.server.http.TlsFiles.Contents;
import dev.laurel.server.settings.SettingException;
import io.vertx.core.Vertx;
import io.vertx.core.net.ServerSSLOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the files of the server's certificate. They are read whole each time: a few kilobytes,
 * and neither links that are switched nor clocks that are set back deceive it. For one thread.
 */
final class Certificates {
  private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

  private final TlsFiles files;
  private final Vertx vertx;

  /** As they were when looked at last, in force or not. */
  private Contents seen;

  private String said = "";
  private final ServerSSLOptions first;

  /**
   * @throws SettingException if they cannot be used
   */
  Certificates(TlsFiles files, Vertx vertx) {
    this.files = files;
    this.vertx = vertx;
    this.seen = files.read();
    this.first = files.options(seen, vertx);
  }

  ServerSSLOptions first() {
    return first;
  }

  /**
   * What new connections are to use from now on; null if that is as before. What cannot be used,
   * perhaps because only one of two files is there yet, is said once and looked at again.
   */
  @Nullable ServerSSLOptions changed() {
    try {
      Contents now = files.read();
      if (now.equals(seen)) {
        return null;
      }
      seen = now;
      ServerSSLOptions options = files.options(now, vertx);
      said = "";
      LOG.atInfo().addKeyValue("file", files.cert()).log("new certificate");
      return options;
    } catch (SettingException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(said)) {
        said = why;
        LOG.atError()
            .addKeyValue("why", why)
            .log("certificate cannot be used; the one before stays in force");
      }
      return null;
    }
  }
}
