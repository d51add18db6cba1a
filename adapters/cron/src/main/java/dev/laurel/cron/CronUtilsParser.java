package dev.laurel.cron;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.season.CronFirings;
import dev.laurel.core.season.CronParser;
import dev.laurel.core.season.LocalClock;
import java.time.ZoneId;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/** Reads Quartz and Unix expressions by cron-utils. Safe for all threads. */
public final class CronUtilsParser implements CronParser {
  private static final com.cronutils.parser.CronParser QUARTZ = grammar(CronType.QUARTZ);
  private static final com.cronutils.parser.CronParser UNIX = grammar(CronType.UNIX);

  private static com.cronutils.parser.CronParser grammar(CronType type) {
    return new com.cronutils.parser.CronParser(CronDefinitionBuilder.instanceDefinitionFor(type));
  }

  @Override
  public CronFirings parse(String expression, ZoneId zone) {
    LocalFirings firings = compile(expression);
    if (!firings.everFires()) {
      throw refused(expression, "it never fires: there is no such date");
    }
    return new ZonedFirings(firings, new LocalClock(zone));
  }

  /** Bounded before cron-utils sees it; only plain characters, so messages may quote it. */
  private static LocalFirings compile(String expression) {
    if (expression.length() > Schedule.Cron.MAX_LENGTH) {
      throw refused(expression, "it is longer than " + Schedule.Cron.MAX_LENGTH + " characters");
    }
    // Without | : cron-utils would make several crons of it, which Quartz does not know.
    if (!expression.chars().allMatch(CronUtilsParser::isPlain)) {
      throw refused(expression, "only letters, digits, spaces and * ? / , # - are known");
    }
    int fields = new StringTokenizer(expression).countTokens();
    if (fields < 5 || fields > 7) {
      throw refused(expression, "it has " + fields + " fields");
    }
    try {
      Cron cron = (fields == 5 ? UNIX : QUARTZ).parse(expression);
      return CronFields.compile(cron, fields == 5 ? 0 : 1);
    } catch (RejectedException e) {
      throw e;
    } catch (RuntimeException e) {
      // IllegalArgumentException by its documentation; hostile text must not find another one.
      throw refused(expression, reason(e));
    }
  }

  private static boolean isPlain(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || " *?/,#-".indexOf(c) >= 0;
  }

  /** What cron-utils says, without its preface and its repetition of the expression. */
  private static String reason(RuntimeException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    @Nullable String message = root.getMessage();
    if (message == null) {
      return "it was not understood";
    }
    if (message.contains("day-of-week AND a day-of-month")) {
      return "one of day of month and day of week must be ?, the other not";
    }
    return message.replaceFirst("^Failed to parse cron expression\\. ", "");
  }

  static RejectedException refused(String expression, String reason) {
    return Rejection.invalid(
            "cronExpression",
            expression,
            "second minute hour day month weekday [year] as in Quartz, or minute hour day month"
                + " weekday as in Unix; but "
                + reason)
        .asException();
  }
}
