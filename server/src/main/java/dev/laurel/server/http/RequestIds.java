package dev.laurel.server.http;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Names requests, so that a caller's complaint finds its log line. Ids need to be distinct, not
 * secret. Each event loop has its own: not thread-safe.
 */
final class RequestIds {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final SplittableRandom random = new SplittableRandom();

  /** The caller's id if it can be echoed safely, else a new one. */
  String accept(@Nullable String given) {
    return given != null && isUsable(given) ? given : next();
  }

  private static boolean isUsable(String id) {
    if (id.isEmpty() || id.length() > 128) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  private String next() {
    long value = random.nextLong();
    byte[] text = new byte[16];
    for (int i = 0; i < text.length; i++, value >>>= 4) {
      text[i] = HEX[(int) value & 0xf];
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}
