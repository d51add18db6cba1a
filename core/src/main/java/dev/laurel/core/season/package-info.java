/**
 * When the seasons of a window begin and end: pure arithmetic over a schedule, a time zone and the
 * limits of the board. Start with {@link dev.laurel.core.season.SeasonCalendar}; what is hard about
 * local time is in {@link dev.laurel.core.season.LocalClock}.
 */
@NullMarked
package dev.laurel.core.season;

import org.jspecify.annotations.NullMarked;
