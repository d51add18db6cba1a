package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects one request body up to the limit, then hands the exchange on. */
final class BodyReader {
  private final Exchange exchange;
  private final int max;
  private final Consumer<Exchange> next;
  private @Nullable Buffer collected;
  private boolean over;

  BodyReader(Exchange exchange, int max, Consumer<Exchange> next) {
    this.exchange = exchange;
    this.max = max;
    this.next = next;
  }

  /** The announced length, -1 if the body comes in chunks. No body at all is 0. */
  static long announced(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) ? -1 : 0;
    }
    // Netty has checked that it is a number, and that there is one only.
    return Long.parseLong(length);
  }

  /**
   * @throws dev.laurel.core.model.RejectedException 413 or 415, before a byte of it is read
   */
  void start(long announced) {
    if (announced > max) {
      throw Rejection.expectation(
              ErrorCode.BODY_TOO_LARGE, "body", announced + " bytes", "at most " + max + " bytes")
          .asException();
    }
    checkType(exchange.header(HttpHeaders.CONTENT_TYPE));
    HttpServerRequest request = exchange.raw();
    if (request.headers().contains(HttpHeaders.EXPECT, "100-continue", true)) {
      request.response().writeContinue();
    }
    request.handler(this::chunk);
    request.endHandler(_ -> end());
    request.exceptionHandler(this::broken);
  }

  void tooSlow(long seconds) {
    exchange.stalled = true;
    fail(
        Rejection.expectation(
            ErrorCode.REQUEST_TIMEOUT, "body", "incomplete", "within " + seconds + " s"));
  }

  private void chunk(Buffer chunk) {
    if (over) {
      return;
    }
    Buffer before = collected;
    int length = (before == null ? 0 : before.length()) + chunk.length();
    if (length > max) {
      fail(
          Rejection.expectation(
              ErrorCode.BODY_TOO_LARGE, "body", "more than that", "at most " + max + " bytes"));
    } else {
      // Most bodies are one chunk: only a second one pays for a copy.
      collected =
          before == null
              ? chunk
              : (before.length() == 0 ? chunk : grow(before).appendBuffer(chunk));
    }
  }

  /** Chunks that Vert.x hands out may be of a fixed size; what grows must be ours. */
  private Buffer grow(Buffer first) {
    if (owned) {
      return first;
    }
    owned = true;
    return Buffer.buffer(Math.max(1024, first.length() * 2)).appendBuffer(first);
  }

  private boolean owned;

  private void end() {
    if (over) {
      return;
    }
    over = true;
    Buffer all = collected;
    collected = null;
    exchange.body = all == null ? new byte[0] : all.getBytes();
    exchange.bodyRead = true;
    next.accept(exchange);
  }

  /** A chunk that is not one, or a caller that is gone; Vert.x closes the connection either way. */
  private void broken(Throwable cause) {
    if (!over && !(cause instanceof HttpClosedException)) {
      fail(Rejection.invalid("body", "malformed", "a body as its headers announce it"));
    }
    over = true;
  }

  private void fail(Rejection rejection) {
    over = true;
    collected = null;
    exchange.reject(rejection);
  }

  static void checkType(@Nullable String type) {
    if (type == null || !isJson(type)) {
      throw Rejection.expectation(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              "Content-Type",
              type == null ? "missing" : type,
              "application/json, in UTF-8")
          .asException();
    }
  }

  private static boolean isJson(String type) {
    if (type.equals("application/json")) {
      return true;
    }
    int semicolon = type.indexOf(';');
    String media = semicolon < 0 ? type : type.substring(0, semicolon);
    if (!media.strip().equalsIgnoreCase("application/json")) {
      return false;
    }
    if (semicolon < 0) {
      return true;
    }
    String parameter =
        type.substring(semicolon + 1).strip().replace("\"", "").toLowerCase(Locale.ROOT);
    return parameter.isEmpty() || parameter.equals("charset=utf-8");
  }
}
