package dev.laurel.server.client;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Whom a caller trusts, and the certificate it shows. Immutable. */
public final class ClientTls {
  /** As everybody does. */
  public static final ClientTls USUAL = new ClientTls(null);

  private final @Nullable JdkSslContext context;

  private ClientTls(@Nullable JdkSslContext context) {
    this.context = context;
  }

  /**
   * @param ca a file in PEM with the authorities to trust; null for those that Java trusts
   * @param cert a file in PEM with the caller's certificate; null for none
   * @param key the key to it
   * @throws IllegalArgumentException if they are something else
   */
  public static ClientTls of(@Nullable String ca, @Nullable String cert, @Nullable String key) {
    if ((cert == null) != (key == null)) {
      throw new IllegalArgumentException(
          "--cert, --cert-key: not both (expected: a certificate and its key)");
    }
    if (ca == null && cert == null) {
      return USUAL;
    }
    return new ClientTls(build(ca, cert, key));
  }

  private static JdkSslContext build(
      @Nullable String ca, @Nullable String cert, @Nullable String key) {
    try {
      SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
      if (ca != null) {
        builder.trustManager(new File(ca));
      }
      if (cert != null && key != null) {
        builder.keyManager(new File(cert), new File(key));
      }
      return (JdkSslContext) builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--ca, --cert, --cert-key: %s (expected: files in PEM)".formatted(e.getMessage()), e);
    }
  }

  /** A client that calls a server by HTTP/1.1. */
  public HttpClient client() {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10));
    return (context == null ? client : client.sslContext(context.context())).build();
  }

  /** What to say of a server that answers, but not so that it can be trusted, or that refuses. */
  public static String refused(String url, SSLException e) {
    return "no secure connection to %s: %s. Name who certifies it with --ca, your own certificate with --cert"
        .formatted(url, e.getMessage());
  }

  /** For clients that are built on Netty. */
  public SslContext netty() {
    return context == null ? build(null, null, null) : context;
  }
}
