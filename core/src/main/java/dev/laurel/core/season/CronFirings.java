package dev.laurel.core.season;

import java.util.OptionalLong;

/**
 * The instants at which a cron expression fires in a zone, in epoch milliseconds. Immutable; both
 * methods take a bounded time, also if there is no such firing.
 */
public interface CronFirings {
  /** The first firing strictly after the time; empty if it never fires again. */
  OptionalLong next(long after);

  /** The last firing at or before the time; empty if it has not fired yet. */
  OptionalLong last(long atOrBefore);
}
