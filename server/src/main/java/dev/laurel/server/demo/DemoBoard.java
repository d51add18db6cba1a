package dev.laurel.server.demo;

import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.RulesDefinition;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** A board of the demo, and what a player achieves there in one go. */
record DemoBoard(
    String uuid,
    String title,
    RulesDefinition rules,
    List<WindowDefinition> windows,
    Results results) {
  /** Results of a player with a skill of 0..1. */
  interface Results {
    String next(double skill, Random random);
  }

  private static final List<String> REWARDS = List.of("5", "5", "10", "10", "25");

  static final List<DemoBoard> ALL =
      List.of(
          // A game: points of every round add up, by day, by week and for all time.
          new DemoBoard(
              "demo-neon-run",
              "Neon Run",
              new RulesDefinition(null, null, Update.SUM, 0, null, null),
              List.of(
                  window("daily", new Schedule.Daily()),
                  window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY)),
                  WindowDefinition.ALL_TIME),
              (skill, random) ->
                  Long.toString(Math.round(40 + 160 * skill + 120 * random.nextDouble()))),
          // Points for what people do on a site.
          new DemoBoard(
              "demo-rewards",
              "Rewards",
              new RulesDefinition(null, null, Update.SUM, 0, null, null),
              List.of(WindowDefinition.ALL_TIME),
              (_, random) -> REWARDS.get(random.nextInt(REWARDS.size()))),
          // A race: the best time counts, in seconds; every hour it begins anew.
          new DemoBoard(
              "demo-hill-climb",
              "Hill Climb",
              new RulesDefinition(Order.LOWEST_FIRST, null, Update.BEST, 3, null, null),
              List.of(window("hourly", new Schedule.Hourly()), WindowDefinition.ALL_TIME),
              (skill, random) -> {
                double seconds = (78 - 14 * skill) * (1 + 0.06 * Math.abs(random.nextGaussian()));
                return String.format(Locale.ROOT, "%.3f", seconds);
              }));

  BoardDefinition definition() {
    return new BoardDefinition(
        uuid,
        null,
        title,
        rules,
        Visibility.PUBLIC,
        null,
        null,
        null,
        "{\"demo\":true}",
        windows,
        null,
        null);
  }

  private static WindowDefinition window(String name, Schedule schedule) {
    return new WindowDefinition(name, schedule, null, null, null, null, List.of());
  }
}
