package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Percent-escapes, strictly: an escape that is cut off or not hexadecimal, and bytes that are not
 * UTF-8, are refused instead of repaired, because two programs repair them differently.
 */
final class PercentDecoding {
  private PercentDecoding() {}

  /** A path segment decoded, or null if there is nothing to decode in it. An escaped / stays in. */
  static @Nullable String segment(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) == '%') {
        return decode(text, from, to, false);
      }
    }
    return null;
  }

  /** A name or value of a query, where + is a space. */
  static String query(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%' || c == '+') {
        return decode(text, from, to, true);
      }
    }
    return text.substring(from, to);
  }

  private static String decode(String text, int from, int to, boolean plusIsSpace) {
    byte[] bytes = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int high = i + 1 < to ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = i + 2 < to ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw bad(text.substring(from, to), "percent-escapes of two hexadecimal digits");
        }
        bytes[length++] = (byte) (high << 4 | low);
        i += 2;
      } else {
        bytes[length++] = plusIsSpace && c == '+' ? (byte) ' ' : (byte) c;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw bad(text.substring(from, to), "percent-escapes of valid UTF-8");
    }
  }

  private static RejectedException bad(String value, String expected) {
    return Rejection.expectation(ErrorCode.MALFORMED_REQUEST, "uri", value, expected).asException();
  }
}
