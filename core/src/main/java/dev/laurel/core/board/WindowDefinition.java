package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Window;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says of a window; what is null gets the contract's default.
 *
 * @param timeZone an IANA name; UTC by default
 * @param until no cycle begins at or after it
 * @param grace PT5M by default
 * @param capacity how many places a season has; as many as there are entries by default
 */
public record WindowDefinition(
    String name,
    Schedule schedule,
    @Nullable String timeZone,
    @Nullable Long until,
    @Nullable Duration grace,
    @Nullable Integer capacity,
    List<PrizeTier> prizes) {

  private static final Duration MAX_GRACE = Duration.ofDays(31);
  private static final int MAX_CAPACITY = 1_000_000;
  private static final int MAX_TIERS = 100;

  /** The window of a board that names none. */
  public static final WindowDefinition ALL_TIME =
      new WindowDefinition(
          Window.ALL_TIME, new Schedule.AllTime(), null, null, null, null, List.of());

  /** What makes the same window again. */
  public static WindowDefinition of(Window window) {
    return new WindowDefinition(
        window.name(),
        window.schedule(),
        window.zone().getId(),
        window.until() == Board.NO_END ? null : window.until(),
        Duration.ofMillis(window.grace()),
        window.capacity() == 0 ? null : window.capacity(),
        window.prizes());
  }

  /**
   * The windows with their numbers: those that the board has keep theirs, new ones get numbers that
   * no window of the board ever had.
   *
   * @param known of all versions of the board
   */
  static List<Window> number(List<WindowDefinition> definitions, List<Window> known) {
    if (definitions.isEmpty() || definitions.size() > Window.MAX_PER_BOARD) {
      throw Rejection.invalid("windows", definitions.size(), "1.." + Window.MAX_PER_BOARD)
          .asException();
    }
    int next = known.stream().mapToInt(Window::number).max().orElse(-1) + 1;
    Set<String> names = new HashSet<>();
    List<Window> windows = new ArrayList<>(definitions.size());
    for (WindowDefinition definition : definitions) {
      if (!names.add(definition.name())) {
        throw Rejection.invalid("windows.name", definition.name(), "a name for each window")
            .asException();
      }
      int number =
          known.stream()
              .filter(w -> w.name().equals(definition.name()))
              .mapToInt(Window::number)
              .findFirst()
              .orElse(-1);
      windows.add(definition.toWindow(number < 0 ? next++ : number));
    }
    if (next > Long.SIZE - 1) {
      throw Rejection.invalid("windows", next, "at most 63 over the life of a board").asException();
    }
    return List.copyOf(windows);
  }

  private Window toWindow(int number) {
    requireName(name);
    requirePrizes(prizes);
    Duration wait = grace == null ? Duration.ofMillis(Board.DEFAULT_GRACE) : grace;
    if (wait.isNegative() || wait.compareTo(MAX_GRACE) > 0) {
      throw Rejection.invalid("grace", wait, "PT0S.." + MAX_GRACE).asException();
    }
    if (capacity != null && (capacity < 1 || capacity > MAX_CAPACITY)) {
      throw Rejection.invalid("capacity", capacity, "1.." + MAX_CAPACITY).asException();
    }
    return new Window(
        number,
        name,
        schedule,
        zone(timeZone),
        until == null ? Board.NO_END : until,
        wait.toMillis(),
        capacity == null ? 0 : capacity,
        List.copyOf(prizes));
  }

  /** In labels and in URLs. */
  public static void requireName(String name) {
    boolean ok =
        !name.isEmpty()
            && name.length() <= 32
            && name.chars()
                .allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
    if (!ok) {
      throw Rejection.invalid(
              "windows.name", name, "1..32 of small letters, digits and -, such as daily")
          .asException();
    }
  }

  private static ZoneId zone(@Nullable String text) {
    if (text == null) {
      return ZoneId.of("UTC");
    }
    if (!ZoneId.getAvailableZoneIds().contains(text)) {
      throw Rejection.invalid("timeZone", text, "an IANA time zone, such as Europe/Berlin")
          .asException();
    }
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw Rejection.invalid("timeZone", text, "an IANA time zone").asException();
    }
  }

  private static void requirePrizes(List<PrizeTier> prizes) {
    if (prizes.size() > MAX_TIERS) {
      throw Rejection.invalid("prizes", prizes.size(), "at most " + MAX_TIERS).asException();
    }
    for (PrizeTier tier : prizes) {
      BoardDefinition.requireText("prizes.name", tier.name());
      boolean byRank = tier.percent() == 0 && tier.from() >= 1 && tier.to() >= tier.from();
      boolean byShare =
          tier.percent() >= 1 && tier.percent() <= 10_000 && tier.from() == 0 && tier.to() == 0;
      if (!byRank && !byShare) {
        throw Rejection.invalid(
                "prizes",
                tier.name(),
                "ranks from 1 on with from <= to, or a percent of more than 0 and up to 100")
            .asException();
      }
    }
  }
}
