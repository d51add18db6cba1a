package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what Netty lets through and two readers of the same bytes may take differently: a body
 * whose end is not certain (RFC 9112, 6.3), a header that may be there once and is there twice, a
 * header without a name. Such a head is refused and the connection ends, because nobody can tell
 * where the next request begins.
 */
final class HeadCheck {
  /** Headers that decide who calls, or of what. A proxy in between may go by the other one. */
  private static final AsciiString[] ONCE = {
    HttpHeaderNames.HOST,
    AsciiString.cached("x-api-key"),
    AsciiString.cached("laurel-tenant"),
    HttpHeaderNames.AUTHORIZATION,
    HttpHeaderNames.CONTENT_TYPE,
    HttpHeaderNames.CONTENT_LENGTH,
    AsciiString.cached("idempotency-key"),
    HttpHeaderNames.TRANSFER_ENCODING,
  };

  /** Which lengths of names are worth a closer look: one bit for each. */
  private static final long LENGTHS = lengths();

  private HeadCheck() {}

  private static long lengths() {
    long bits = 1; // a name without characters
    for (AsciiString name : ONCE) {
      bits |= 1L << name.length();
    }
    return bits;
  }

  /** Null if nothing is wrong. */
  static @Nullable Rejection wrong(HttpRequest request) {
    int seen = 0;
    Iterator<Map.Entry<CharSequence, CharSequence>> headers =
        request.headers().iteratorCharSequence();
    while (headers.hasNext()) {
      Map.Entry<CharSequence, CharSequence> header = headers.next();
      CharSequence name = header.getKey();
      int length = name.length();
      if (length >= Long.SIZE || (LENGTHS >>> length & 1) == 0) {
        continue;
      }
      if (length == 0) {
        return malformed("header", "without a name", "a name before the colon");
      }
      int bit = bitOf(name);
      if ((seen & bit) != 0) {
        return malformed(name.toString(), "twice", "once");
      }
      seen |= bit;
      if (bit == 1 << (ONCE.length - 1) && !isChunked(request, header.getValue())) {
        return malformed(
            "Transfer-Encoding", header.getValue().toString(), "chunked alone, over HTTP/1.1");
      }
    }
    return null;
  }

  /** 0 for a header that may be there any number of times. */
  private static int bitOf(CharSequence name) {
    for (int i = 0; i < ONCE.length; i++) {
      if (ONCE[i].contentEqualsIgnoreCase(name)) {
        return 1 << i;
      }
    }
    return 0;
  }

  private static boolean isChunked(HttpRequest request, CharSequence value) {
    return HttpVersion.HTTP_1_1.equals(request.protocolVersion())
        && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(value);
  }

  private static Rejection malformed(String name, String value, String expected) {
    return Rejection.expectation(ErrorCode.MALFORMED_REQUEST, name, value, expected);
  }
}
