package dev.laurel.core.season;

import dev.laurel.core.model.RejectedException;
import java.time.ZoneId;

/** The port to whoever understands cron. Implementations are safe for all threads. */
@FunctionalInterface
public interface CronParser {
  /**
   * Six or seven fields are Quartz (second first, year last and optional), five are Unix.
   *
   * @throws RejectedException if the expression is not understood or never fires; whatever the text
   */
  CronFirings parse(String expression, ZoneId zone);
}
