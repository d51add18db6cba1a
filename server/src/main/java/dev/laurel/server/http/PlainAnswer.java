package dev.laurel.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A 200 with JSON and the usual head, in one buffer. One for each event loop, for its thread. */
final class PlainAnswer {
  private static final byte[] BEFORE_ID =
      ascii("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: ");
  private static final byte[] DEGRADED = ascii("\r\nlaurel-degraded: writes");
  private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");
  private static final int MAX_ID = 128;
  private static final int MAX_LENGTH = 10;

  private final BooleanSupplier degraded;
  private final byte[] beforeLength;
  private final byte[] head;

  /**
   * @param degraded whether to say that nothing can be written now
   * @param hsts what browsers are told about HTTPS; null for nothing
   */
  PlainAnswer(BooleanSupplier degraded, @Nullable String hsts) {
    this.degraded = degraded;
    this.beforeLength =
        ascii(
            "\r\nx-content-type-options: nosniff\r\nreferrer-policy: no-referrer"
                + (hsts == null ? "" : "\r\nstrict-transport-security: " + hsts)
                + "\r\ncache-control: no-store\r\ncontent-length: ");
    this.head =
        new byte
            [BEFORE_ID.length
                + MAX_ID
                + DEGRADED.length
                + beforeLength.length
                + MAX_LENGTH
                + END_OF_HEAD.length];
  }

  /** Whether the answer is all that can be said here. */
  @SuppressWarnings("ReferenceEquality") // of the two constants that the head has in it
  static boolean suits(Exchange exchange, @Nullable CharSequence contentType) {
    return exchange.status == 200
        && contentType == AnswerWriter.JSON
        && exchange.cacheControl == AnswerWriter.NO_STORE
        && exchange.headers == null;
  }

  ByteBuf encode(ByteBufAllocator allocator, String id, byte[] bytes, int length) {
    int at = copy(BEFORE_ID, head, 0);
    for (int i = 0; i < id.length(); i++) {
      head[at++] = (byte) id.charAt(i);
    }
    if (degraded.getAsBoolean()) {
      at = copy(DEGRADED, head, at);
    }
    at = copy(beforeLength, head, at);
    at = digits(length, head, at);
    at = copy(END_OF_HEAD, head, at);
    ByteBuf out = allocator.directBuffer(at + length);
    return out.writeBytes(head, 0, at).writeBytes(bytes, 0, length);
  }

  private static int copy(byte[] from, byte[] to, int at) {
    System.arraycopy(from, 0, to, at, from.length);
    return at + from.length;
  }

  private static int digits(int value, byte[] to, int at) {
    int count = 1;
    for (int rest = value / 10; rest > 0; rest /= 10) {
      count++;
    }
    for (int i = at + count - 1; i >= at; i--, value /= 10) {
      to[i] = (byte) ('0' + value % 10);
    }
    return at + count;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
