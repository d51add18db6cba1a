package dev.laurel.server.api;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Window;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How windows, their schedules and prizes are written in JSON; one schema on every surface. */
final class WindowFields {
  private static final int MAX_REWARD = 4096;

  private WindowFields() {}

  /** Null if there is no such field. */
  static @Nullable List<WindowDefinition> read(Fields fields, String name) {
    if (!fields.has(name)) {
      return null;
    }
    List<WindowDefinition> windows = new ArrayList<>();
    for (Fields window : fields.objects(name, 1, Window.MAX_PER_BOARD)) {
      windows.add(window(window));
    }
    return windows;
  }

  /** One window, whose name is known. */
  static WindowDefinition readOne(Fields fields, String name) {
    String repeated = fields.optionalString("name");
    if (repeated != null && !repeated.equals(name)) {
      WindowDefinition.requireName(repeated);
      throw Rejection.expectation(
              ErrorCode.IMMUTABLE_FIELD, "name", repeated, name + ", as in the path")
          .asException();
    }
    return window(fields, name, fields.string("schedule"));
  }

  private static WindowDefinition window(Fields fields) {
    String schedule = fields.string("schedule");
    String name = fields.optionalString("name");
    return window(fields, name == null ? schedule : name, schedule);
  }

  private static WindowDefinition window(Fields fields, String name, String schedule) {
    WindowDefinition window =
        new WindowDefinition(
            name,
            schedule(fields, schedule),
            fields.optionalString("timeZone"),
            ScoreFields.time(fields, "until"),
            duration(fields, "grace"),
            fields.has("capacity") ? fields.requiredInteger("capacity", 1, 1_000_000) : null,
            prizes(fields));
    fields.done();
    return window;
  }

  private static Schedule schedule(Fields fields, String text) {
    return switch (text) {
      case "all-time" -> new Schedule.AllTime();
      case "hourly" -> new Schedule.Hourly();
      case "daily" -> new Schedule.Daily();
      case "weekly" -> {
        DayOfWeek first = fields.optionalChoice("firstDay", DayOfWeek.class);
        yield new Schedule.Weekly(first == null ? DayOfWeek.MONDAY : first);
      }
      case "monthly" -> new Schedule.Monthly();
      case "every" ->
          new Schedule.Every(
              fields.requiredInteger("every", 1, Schedule.Every.MAX_N),
              fields.choice("unit", Schedule.Unit.class),
              date(fields, "from"));
      case "cron" ->
          new Schedule.Cron(fields.string("cronExpression"), duration(fields, "duration"));
      default ->
          throw fields.wrong(
              "schedule", text, "all-time | hourly | daily | weekly | monthly | every | cron");
    };
  }

  private static LocalDate date(Fields fields, String name) {
    String text = fields.string(name);
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw fields.wrong(name, text, "a date: 2026-01-31");
    }
  }

  static @Nullable Duration duration(Fields fields, String name) {
    String text = fields.optionalString(name);
    if (text == null) {
      return null;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException | ArithmeticException e) {
      throw fields.wrong(name, text, "an ISO 8601 duration of days or less: P7D, PT36H, PT5M");
    }
  }

  private static List<PrizeTier> prizes(Fields fields) {
    if (!fields.has("prizes")) {
      return List.of();
    }
    List<PrizeTier> tiers = new ArrayList<>();
    for (Fields tier : fields.objects("prizes", 0, 100)) {
      String name = tier.string("name");
      String percent = tier.optionalNumber("percent");
      long from = percent == null ? tier.requiredInteger("from", 1, Integer.MAX_VALUE) : 0;
      long to = percent == null ? tier.integer("to", (int) from, (int) from, Integer.MAX_VALUE) : 0;
      tiers.add(
          new PrizeTier(
              name,
              from,
              to,
              percent == null ? 0 : hundredths(tier, percent),
              tier.optionalRawObject("reward", MAX_REWARD)));
      tier.done();
    }
    return tiers;
  }

  private static int hundredths(Fields tier, String percent) {
    OptionalLong units = Units.parse(percent, 2);
    // What would be rounded is another share than the one that was announced.
    if (units.isEmpty()
        || units.getAsLong() < 1
        || units.getAsLong() > 10_000
        || Units.toDecimal(units.getAsLong(), 2).compareTo(new BigDecimal(percent)) != 0) {
      throw tier.wrong("percent", percent, "0.01..100, with at most two decimals");
    }
    return (int) units.getAsLong();
  }

  static void write(JsonOut out, Schedule.Cron cron) {
    out.name("cronExpression").string(cron.expression());
    Duration duration = cron.duration();
    if (duration != null) {
      boolean days = duration.equals(Duration.ofDays(duration.toDays()));
      out.name("duration").string(days ? "P" + duration.toDays() + "D" : duration.toString());
    }
  }

  static void write(JsonOut out, List<Window> windows) {
    out.beginArray();
    for (Window window : windows) {
      write(out, window);
    }
    out.endArray();
  }

  private static void write(JsonOut out, Window window) {
    out.beginObject();
    out.name("name").string(window.name());
    switch (window.schedule()) {
      case Schedule.AllTime _ -> out.name("schedule").string("all-time");
      case Schedule.Hourly _ -> out.name("schedule").string("hourly");
      case Schedule.Daily _ -> out.name("schedule").string("daily");
      case Schedule.Weekly weekly -> {
        out.name("schedule").string("weekly");
        out.name("firstDay").string(weekly.firstDay().name());
      }
      case Schedule.Monthly _ -> out.name("schedule").string("monthly");
      case Schedule.Every every -> {
        out.name("schedule").string("every");
        out.name("every").number(every.n());
        out.name("unit").string(every.unit().name());
        out.name("from").string(every.from().toString());
      }
      case Schedule.Cron cron -> {
        out.name("schedule").string("cron");
        write(out, cron);
      }
    }
    out.name("timeZone").string(window.zone().getId());
    if (window.until() != Board.NO_END) {
      out.name("until").timestamp(window.until());
    }
    out.name("grace").string(Duration.ofMillis(window.grace()).toString());
    if (window.capacity() > 0) {
      out.name("capacity").number(window.capacity());
    }
    if (!window.prizes().isEmpty()) {
      out.name("prizes").beginArray();
      for (PrizeTier tier : window.prizes()) {
        write(out, tier);
      }
      out.endArray();
    }
    out.endObject();
  }

  static void write(JsonOut out, PrizeTier tier) {
    out.beginObject();
    out.name("name").string(tier.name());
    if (tier.percent() > 0) {
      out.name("percent").units(tier.percent(), 2);
    } else {
      out.name("from").number(tier.from());
      out.name("to").number(tier.to());
    }
    if (tier.reward() != null) {
      out.name("reward").raw(tier.reward());
    }
    out.endObject();
  }
}
