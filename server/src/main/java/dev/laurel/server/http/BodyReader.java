package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects one request body up to the limit, then hands the exchange on. What it holds counts
 * against the {@link BodyBudget} of all bodies. Only the connection's event loop calls it.
 */
final class BodyReader {
  private static final int LEAST_GROWTH = 4096;
  private static final byte[] EMPTY = {};

  private final Exchange exchange;
  private final BodyBudget.Hold hold;
  private final int max;
  private final Consumer<Exchange> next;
  private byte[] bytes = EMPTY;
  private int length;

  /** As far as it may become; less than the limit if a length was announced. */
  private int most;

  private boolean over;
  private long windowStart;
  private int windowLength;

  BodyReader(Exchange exchange, BodyBudget.Hold hold, int max, Consumer<Exchange> next) {
    this.exchange = exchange;
    this.hold = hold;
    this.max = max;
    this.most = max;
    this.next = next;
    this.windowStart = exchange.startNanos;
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
    if (announced > 0) {
      most = (int) announced;
    }
    HttpServerRequest request = exchange.raw();
    if (request.headers().contains(HttpHeaders.EXPECT, "100-continue", true)) {
      request.response().writeContinue();
    }
    request.handler(this::chunk);
    request.endHandler(_ -> end());
    request.exceptionHandler(this::broken);
  }

  /** Gives up on a body that takes too long, or that hardly moves. Now and then. */
  void look(long now, Patience patience) {
    if (now - exchange.startNanos > patience.body().toNanos()) {
      tooSlow("within " + patience.body().toSeconds() + " s");
    } else if (now - windowStart > Patience.WINDOW.toNanos()) {
      if (length - windowLength < patience.bodyRate() * Patience.WINDOW.toSeconds()) {
        tooSlow("at least " + patience.bodyRate() + " bytes a second");
      }
      windowStart = now;
      windowLength = length;
    }
  }

  private void tooSlow(String expected) {
    exchange.stalled = true;
    fail(Rejection.expectation(ErrorCode.REQUEST_TIMEOUT, "body", "incomplete", expected));
  }

  private void chunk(Buffer chunk) {
    if (over || chunk.length() == 0) {
      return;
    }
    int longer = length + chunk.length();
    if (longer > most) {
      fail(
          Rejection.expectation(
              ErrorCode.BODY_TOO_LARGE, "body", "more than that", "at most " + most + " bytes"));
    } else if (longer <= bytes.length || grow(longer)) {
      chunk.getBytes(bytes, length);
      length = longer;
    } else {
      fail(
          Rejection.of(
              ErrorCode.OVERLOADED, "bodies: too many at once (expected: again in a moment)"));
    }
  }

  /** Most bodies are one chunk, and have their size at once. */
  private boolean grow(int atLeast) {
    int size =
        bytes.length == 0
            ? atLeast
            : (int) Math.min(most, Math.max(atLeast, Math.max(LEAST_GROWTH, 2L * bytes.length)));
    if (!hold.grow(size - bytes.length)) {
      return false;
    }
    bytes = Arrays.copyOf(bytes, size);
    return true;
  }

  private void end() {
    if (over) {
      return;
    }
    over = true;
    exchange.body = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    exchange.bodyRead = true;
    bytes = EMPTY;
    next.accept(exchange);
  }

  /** A chunk that is not one, or a caller that is gone; Vert.x closes the connection either way. */
  private void broken(Throwable cause) {
    if (!over && !(cause instanceof HttpClosedException)) {
      fail(Rejection.invalid("body", "malformed", "a body as its headers announce it"));
    }
    over = true;
    bytes = EMPTY;
  }

  private void fail(Rejection rejection) {
    over = true;
    bytes = EMPTY;
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
