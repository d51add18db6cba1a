package dev.laurel.server.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Instants as text without java.time's objects: a page of a hundred entries has a hundred of them.
 */
final class Timestamps {
  private static final long DAY = 86_400_000;

  /** 0000-01-01 and 10000-01-01: between them a year has four digits and no sign. */
  private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();

  private static final long LAST = Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli();

  private Timestamps() {}

  /** Writes at {@code at}, with 38 bytes of room, and returns the position after it. */
  static int write(byte[] out, int at, long epochMillis) {
    if (epochMillis < FIRST || epochMillis >= LAST) {
      byte[] text =
          Instant.ofEpochMilli(epochMillis).toString().getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(text, 0, out, at, text.length);
      return at + text.length;
    }
    long days = Math.floorDiv(epochMillis, DAY);
    int millis = (int) (epochMillis - days * DAY);
    // Days to a date as in Howard Hinnant's "chrono-compatible low-level date algorithms": years
    // begin in March, so that the leap day is the last of its year.
    long shifted = days + 719_468;
    long era = Math.floorDiv(shifted, 146_097);
    int dayOfEra = (int) (shifted - era * 146_097);
    int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int marchMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
    int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
    int seconds = millis / 1000;
    at = two(out, at, year / 100);
    at = two(out, at, year % 100);
    out[at++] = '-';
    at = two(out, at, month);
    out[at++] = '-';
    at = two(out, at, day);
    out[at++] = 'T';
    at = two(out, at, seconds / 3600);
    out[at++] = ':';
    at = two(out, at, seconds / 60 % 60);
    out[at++] = ':';
    at = two(out, at, seconds % 60);
    int fraction = millis % 1000;
    if (fraction != 0) {
      out[at++] = '.';
      out[at++] = (byte) ('0' + fraction / 100);
      at = two(out, at, fraction % 100);
    }
    out[at++] = 'Z';
    return at;
  }

  private static int two(byte[] out, int at, int value) {
    out[at] = (byte) ('0' + value / 10);
    out[at + 1] = (byte) ('0' + value % 10);
    return at + 2;
  }
}
