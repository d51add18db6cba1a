package dev.laurel.server.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What an exchange needs to know of its request. */
interface RequestHead {
  HttpMethod method();

  /** As it was sent: path and query. */
  String target();

  boolean isVersion11();

  @Nullable String header(CharSequence name);

  /** Every value of a header that may be there more than once. */
  List<String> headers(CharSequence name);

  /** The address of whoever opened the connection. */
  String peer();

  /** Whether the caller has shown a certificate that is trusted. */
  boolean hasCertificate();

  /** For streams, WebSockets and bodies. */
  HttpServerRequest raw();

  /** A request that Vert.x has read. */
  record OfVertx(HttpServerRequest raw) implements RequestHead {
    @Override
    public HttpMethod method() {
      return raw.method();
    }

    @Override
    public String target() {
      return raw.uri();
    }

    @Override
    public boolean isVersion11() {
      return raw.version() == HttpVersion.HTTP_1_1;
    }

    @Override
    public @Nullable String header(CharSequence name) {
      return raw.headers().get(name);
    }

    @Override
    public List<String> headers(CharSequence name) {
      return raw.headers().getAll(name);
    }

    @Override
    public String peer() {
      String address = raw.remoteAddress().hostAddress();
      return address == null ? "" : address;
    }

    @Override
    public boolean hasCertificate() {
      try {
        return raw.connection().isSsl() && !raw.connection().peerCertificates().isEmpty();
      } catch (SSLPeerUnverifiedException e) {
        return false;
      }
    }
  }
}
