package dev.laurel.core.model;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Times as people write them, and which of them a score may have. */
public final class IsoTimes {
  /** 9999-12-31T23:59:59.999Z: the last one that ISO 8601 writes with four digits. */
  public static final long MAX_MILLIS = 253_402_300_799_999L;

  public static final String EXPECTED =
      "ISO 8601 with an offset, from 1970 to 9999: 2024-01-15T10:30:00Z";

  private IsoTimes() {}

  /** In epoch milliseconds; null if it is none, or out of range. */
  public static @Nullable Long millis(String text) {
    try {
      long millis =
          OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
              .toInstant()
              .toEpochMilli();
      return isInRange(millis) ? millis : null;
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  public static boolean isInRange(long millis) {
    return millis >= 0 && millis <= MAX_MILLIS;
  }
}
