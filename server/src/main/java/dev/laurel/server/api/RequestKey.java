package dev.laurel.server.api;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The Idempotency-Key of a request: whose it is, and what it was used for. */
final class RequestKey {
  static final String HEADER = "Idempotency-Key";
  static final String REPLAYED = "Idempotent-Replayed";
  private static final int MAX_LENGTH = 128;

  private RequestKey() {}

  static @Nullable String of(Exchange exchange) {
    String key = exchange.header(HEADER);
    if (key == null) {
      return null;
    }
    if (key.isEmpty()
        || key.length() > MAX_LENGTH
        || !key.chars().allMatch(c -> c > 32 && c < 127)) {
      throw Rejection.expectation(
              ErrorCode.INVALID_IDEMPOTENCY_KEY,
              HEADER,
              key,
              "1.." + MAX_LENGTH + " visible ASCII characters")
          .asException();
    }
    return key;
  }

  static OnceOnly.@Nullable Key forConfiguration(Exchange exchange) {
    String key = of(exchange);
    return key == null ? null : new OnceOnly.Key(caller(exchange), key, payload(exchange));
  }

  static Request.@Nullable Idempotency forScores(Exchange exchange, Request.AnswerEncoder encoder) {
    String key = of(exchange);
    return key == null
        ? null
        : new Request.Idempotency(caller(exchange), key, payload(exchange), encoder);
  }

  private static String caller(Exchange exchange) {
    return exchange.caller().callerId();
  }

  /** A key covers what was asked, and of what: the method, the path and the body. */
  private static Digest payload(Exchange exchange) {
    return Digest.of(
        exchange.method().name(),
        String.valueOf(exchange.raw().path()),
        String.valueOf(exchange.raw().query()),
        new String(exchange.body(), StandardCharsets.UTF_8));
  }
}
