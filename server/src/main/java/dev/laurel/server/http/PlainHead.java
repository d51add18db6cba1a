package dev.laurel.server.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows only what a plain read needs; to ask for more means that it is none. */
record PlainHead(HttpRequest request, Channel channel) implements RequestHead {
  /** A GET without a body and without anything that changes how the connection goes on. */
  static boolean isPlain(HttpRequest request) {
    HttpHeaders headers = request.headers();
    return HttpMethod.GET.equals(request.method())
        && keepsTheConnection(request)
        && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)
        && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
        && !headers.contains(HttpHeaderNames.EXPECT)
        && !headers.contains(HttpHeaderNames.UPGRADE)
        // See Cors.
        && !headers.contains(HttpHeaderNames.ORIGIN);
  }

  static boolean keepsTheConnection(HttpRequest request) {
    if (!HttpVersion.HTTP_1_1.equals(request.protocolVersion())
        || !request.decoderResult().isSuccess()) {
      return false;
    }
    String connection = request.headers().get(HttpHeaderNames.CONNECTION);
    return connection == null || HttpHeaderValues.KEEP_ALIVE.contentEqualsIgnoreCase(connection);
  }

  @Override
  public io.vertx.core.http.HttpMethod method() {
    return io.vertx.core.http.HttpMethod.GET;
  }

  @Override
  public String target() {
    return request.uri();
  }

  @Override
  public boolean isVersion11() {
    return true;
  }

  @Override
  public @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }

  @Override
  public List<String> headers(CharSequence name) {
    return request.headers().getAll(name);
  }

  @Override
  public String peer() {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "";
  }

  @Override
  public boolean hasCertificate() {
    throw new IllegalStateException("not known here");
  }

  @Override
  public HttpServerRequest raw() {
    throw new IllegalStateException("not known here");
  }
}
