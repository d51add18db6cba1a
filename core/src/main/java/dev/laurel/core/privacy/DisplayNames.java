package dev.laurel.core.privacy;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.UserIds;
import java.text.Normalizer;

/** What a user may be called: pages show it to everyone. */
public final class DisplayNames {
  public static final int MAX = 40;
  private static final String EXPECTED =
      "1.." + MAX + " characters, not blank, without control and direction characters";

  private DisplayNames() {}

  /** The name in one form for one look (NFC). */
  public static String require(String field, String name) {
    // The length first: to normalize takes time, and may not be asked for a megabyte of it.
    if (name.length() > 8 * MAX || !UserIds.isPrintable(name)) {
      throw Rejection.invalid(field, shortened(name), EXPECTED).asException();
    }
    String normal = Normalizer.normalize(name, Normalizer.Form.NFC);
    if (normal.isBlank()
        || normal.codePointCount(0, normal.length()) > MAX
        || normal.codePoints().anyMatch(DisplayNames::turnsText)) {
      throw Rejection.invalid(field, shortened(name), EXPECTED).asException();
    }
    return normal;
  }

  private static String shortened(String name) {
    return name.length() <= MAX ? name : name.length() + " characters";
  }

  /** Marks, embeddings, overrides and isolates: they reorder what stands beside the name. */
  private static boolean turnsText(int c) {
    return c == 0x61c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }
}
