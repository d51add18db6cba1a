package dev.laurel.server.http;

import dev.laurel.server.settings.ClientCertificates;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.SettingException;
import dev.laurel.server.settings.Settings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Where the server's certificate and its key are.
 *
 * @param clientCa whose certificates callers may show; null if nobody is asked
 */
public record TlsFiles(Path cert, Path key, @Nullable Path clientCa, ClientCertificates clients) {
  private static final int HANDSHAKE_SECONDS = 5;

  /** What the files have in them; two are the same if every byte is. */
  record Contents(Buffer cert, Buffer key, @Nullable Buffer clientCa) {}

  /** Null if the server is to speak plain HTTP. */
  static @Nullable TlsFiles of(Configuration settings) {
    String cert = settings.find(Settings.TLS_CERT);
    String key = settings.find(Settings.TLS_KEY);
    String ca = settings.find(Settings.TLS_CLIENT_CA);
    if (cert == null && key == null && ca == null) {
      return null;
    }
    if (cert == null || key == null) {
      throw new SettingException(
          "tls-cert, tls-key: not both (expected: the certificate and its key)");
    }
    return new TlsFiles(
        Path.of(cert),
        Path.of(key),
        ca == null ? null : Path.of(ca),
        settings.get(Settings.TLS_CLIENTS));
  }

  /** Whether routes for services are for those with a certificate only. */
  boolean servicesNeedCertificates() {
    return clientCa != null && clients != ClientCertificates.OPTIONAL;
  }

  Contents read() {
    return new Contents(
        read("tls-cert", cert),
        read("tls-key", key),
        clientCa == null ? null : read("tls-client-ca", clientCa));
  }

  private static Buffer read(String name, Path file) {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new SettingException(name + ": " + file + " cannot be read: " + e);
    }
  }

  /**
   * @throws SettingException if they are no certificate and the key to it
   */
  ServerSSLOptions options(Contents contents, Vertx vertx) {
    PemKeyCertOptions pair =
        new PemKeyCertOptions().addCertValue(contents.cert).addKeyValue(contents.key);
    try {
      if (!belongTogether(contents.cert, pair, vertx)) {
        throw new SettingException(
            "tls-key: " + key + " (expected: the key to the certificate in " + cert + ")");
      }
    } catch (SettingException e) {
      throw e;
    } catch (Exception e) {
      throw new SettingException(
          "tls-cert, tls-key: %s, %s: %s (expected: a certificate and its key, in PEM)"
              .formatted(cert, key, reason(e)));
    }
    // No ALPN: HTTP/1.1 alone, as without TLS.
    ServerSSLOptions options =
        new ServerSSLOptions()
            .setKeyCertOptions(pair)
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    if (contents.clientCa == null) {
      return options;
    }
    PemTrustOptions trusted = new PemTrustOptions().addCertValue(contents.clientCa);
    try {
      trusted.getTrustManagerFactory(vertx);
    } catch (Exception e) {
      throw new SettingException(
          "tls-client-ca: %s: %s (expected: certificates, in PEM)".formatted(clientCa, reason(e)));
    }
    return options
        .setTrustOptions(trusted)
        .setClientAuth(
            clients == ClientCertificates.ALL ? ClientAuth.REQUIRED : ClientAuth.REQUEST);
  }

  /** Nobody else looks: with a foreign key every handshake would fail. */
  private static boolean belongTogether(Buffer cert, PemKeyCertOptions pair, Vertx vertx)
      throws Exception {
    Certificate first =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(cert.getBytes()))
            .iterator()
            .next();
    for (KeyManager manager : pair.getKeyManagerFactory(vertx).getKeyManagers()) {
      if (manager instanceof X509KeyManager known) {
        String[] names = known.getServerAliases(first.getPublicKey().getAlgorithm(), null);
        PrivateKey key = names == null ? null : known.getPrivateKey(names[0]);
        if (key != null && signs(key, first)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean signs(PrivateKey key, Certificate certificate) {
    byte[] some = {1, 2, 3};
    try {
      Signature signature =
          Signature.getInstance(
              switch (key.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC" -> "SHA256withECDSA";
                default -> key.getAlgorithm();
              });
      signature.initSign(key);
      signature.update(some);
      byte[] signed = signature.sign();
      signature.initVerify(certificate);
      signature.update(some);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? "not readable" : e.getMessage();
  }
}
