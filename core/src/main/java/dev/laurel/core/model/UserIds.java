package dev.laurel.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a user id may look like, and how two of them compare: as unsigned UTF-8 bytes, everywhere.
 */
public final class UserIds {
  public static final int MAX_LENGTH = 128;
  public static final String EXPECTED =
      "1.." + MAX_LENGTH + " characters without control characters";

  private UserIds() {}

  /** Lone surrogates have no UTF-8 form, so two different ids would become one: refused. */
  public static boolean isValid(String id) {
    int length = id.length();
    if (length == 0 || length > 2 * MAX_LENGTH) {
      return false;
    }
    int characters = 0;
    for (int i = 0; i < length; i++) {
      char c = id.charAt(i);
      if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == length
            || !Character.isLowSurrogate(id.charAt(i + 1))) {
          return false;
        }
        i++;
      }
      characters++;
    }
    return characters <= MAX_LENGTH;
  }

  public static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(bytes(a), bytes(b));
  }
}
