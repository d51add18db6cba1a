/**
 * Cron expressions: cron-utils reads them, the firings are computed here. Start with {@link
 * dev.laurel.cron.CronUtilsParser}, then {@link dev.laurel.cron.ZonedFirings} for daylight saving.
 */
@NullMarked
package dev.laurel.cron;

import org.jspecify.annotations.NullMarked;
