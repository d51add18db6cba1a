package dev.laurel.cron;

import dev.laurel.core.season.CronFirings;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Times as people write them. */
final class Times {
  private Times() {}

  static long ms(String text) {
    return OffsetDateTime.parse(text).toInstant().toEpochMilli();
  }

  static String next(CronFirings firings, String after) {
    return Instant.ofEpochMilli(firings.next(ms(after)).orElseThrow()).toString();
  }

  /** All firings after one time and not after another, with their offsets. */
  static List<String> between(CronFirings firings, ZoneId zone, String after, String to) {
    List<String> found = new ArrayList<>();
    long time = firings.next(ms(after)).orElse(Long.MAX_VALUE);
    while (time <= ms(to)) {
      found.add(Instant.ofEpochMilli(time).atZone(zone).toOffsetDateTime().toString());
      time = firings.next(time).orElse(Long.MAX_VALUE);
    }
    return found;
  }
}
