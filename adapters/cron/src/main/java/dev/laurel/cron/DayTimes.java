package dev.laurel.cron;

import java.util.BitSet;

/** The times of a day that an expression means. */
record DayTimes(BitSet hours, BitSet minutes, BitSet seconds) {
  /** Whether it follows the clock around, hour by hour, and is not meant for certain hours. */
  boolean isEveryHour() {
    return hours.cardinality() == 24;
  }

  int first() {
    return second(hours.nextSetBit(0), minutes.nextSetBit(0), seconds.nextSetBit(0));
  }

  int last() {
    return second(hours.length() - 1, minutes.length() - 1, seconds.length() - 1);
  }

  /** The first that is not before this second of the day; -1 if there is none. */
  int ceiling(int of) {
    int hour = of / 3600;
    int minute = of / 60 % 60;
    int second = seconds.nextSetBit(of % 60);
    if (hours.get(hour)) {
      if (second >= 0 && minutes.get(minute)) {
        return second(hour, minute, second);
      }
      int later = minutes.nextSetBit(minute + 1);
      if (later >= 0) {
        return second(hour, later, seconds.nextSetBit(0));
      }
    }
    int later = hours.nextSetBit(hour + 1);
    return later < 0 ? -1 : second(later, minutes.nextSetBit(0), seconds.nextSetBit(0));
  }

  /** The last that is not after this second of the day; -1 if there is none. */
  int floor(int of) {
    int hour = of / 3600;
    int minute = of / 60 % 60;
    int second = seconds.previousSetBit(of % 60);
    if (hours.get(hour)) {
      if (second >= 0 && minutes.get(minute)) {
        return second(hour, minute, second);
      }
      int earlier = minutes.previousSetBit(minute - 1);
      if (earlier >= 0) {
        return second(hour, earlier, seconds.length() - 1);
      }
    }
    int earlier = hours.previousSetBit(hour - 1);
    return earlier < 0 ? -1 : second(earlier, minutes.length() - 1, seconds.length() - 1);
  }

  private static int second(int hour, int minute, int second) {
    return hour * 3600 + minute * 60 + second;
  }
}
