package dev.laurel.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a user id may look like, and how two of them compare: as unsigned UTF-8 bytes, everywhere.
 */
public final class UserIds {
  public static final int MAX_LENGTH = 128;

  /** In UTF-8. */
  public static final int MAX_BYTES = 4 * MAX_LENGTH;

  public static final String EXPECTED =
      "1.." + MAX_LENGTH + " characters without control characters";

  /** What the ids of erased users begin with. */
  private static final String ERASED = "erased-";

  private static final int ERASED_DIGITS = 16;

  private UserIds() {}

  /** What a user is called from an erasure on: the number is random, and leads back to nobody. */
  public static String erased(long random) {
    return ERASED + HexFormat.of().toHexDigits(random);
  }

  /**
   * Whether this may be the id of an erased user, which is another one than when ranks were written
   * down. Somebody may also have chosen such an id.
   */
  public static boolean mayBeErased(String id) {
    return id.length() == ERASED.length() + ERASED_DIGITS && id.startsWith(ERASED);
  }

  public static boolean isValid(String id) {
    return !id.isEmpty()
        && id.length() <= 2 * MAX_LENGTH
        && isPrintable(id)
        && (id.length() <= MAX_LENGTH || id.codePointCount(0, id.length()) <= MAX_LENGTH);
  }

  /**
   * No control characters or line breaks, and no lone surrogates: they have no UTF-8 form, so two
   * different texts would become one.
   */
  public static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  public static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(bytes(a), bytes(b));
  }
}
