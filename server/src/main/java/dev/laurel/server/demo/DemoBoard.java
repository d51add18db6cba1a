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

/** The boards of the demo, and what their players do there. */
enum DemoBoard {
  /** A game: points of every round add up, by day, by week and for all time. */
  ARCADE(
      "demo-neon-run",
      "Neon Run",
      new RulesDefinition(null, null, Update.SUM, 0, null, null),
      List.of(
          window("daily", new Schedule.Daily()),
          window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY)),
          WindowDefinition.ALL_TIME)) {
    @Override
    String result(double skill, Random random) {
      return Long.toString(Math.round(40 + 160 * skill + 120 * random.nextDouble()));
    }
  },

  /** Points for what people do on a site. */
  REWARDS(
      "demo-rewards",
      "Rewards",
      new RulesDefinition(null, null, Update.SUM, 0, null, null),
      List.of(WindowDefinition.ALL_TIME)) {
    @Override
    String result(double skill, Random random) {
      return List.of("5", "5", "10", "10", "25").get(random.nextInt(5));
    }
  },

  /** A race: the best time counts, in seconds; every hour it begins anew. */
  RACE(
      "demo-hill-climb",
      "Hill Climb",
      new RulesDefinition(Order.LOWEST_FIRST, null, Update.BEST, 3, null, null),
      List.of(window("hourly", new Schedule.Hourly()), WindowDefinition.ALL_TIME)) {
    @Override
    String result(double skill, Random random) {
      double seconds = (78 - 14 * skill) * (1 + 0.06 * Math.abs(random.nextGaussian()));
      return String.format(Locale.ROOT, "%.3f", seconds);
    }
  };

  private final String uuid;
  private final String title;
  private final RulesDefinition rules;
  private final List<WindowDefinition> windows;

  DemoBoard(String uuid, String title, RulesDefinition rules, List<WindowDefinition> windows) {
    this.uuid = uuid;
    this.title = title;
    this.rules = rules;
    this.windows = windows;
  }

  String uuid() {
    return uuid;
  }

  /**
   * What a player achieves in one go.
   *
   * @param skill 0..1
   */
  abstract String result(double skill, Random random);

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
