package dev.laurel.cron;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import dev.laurel.core.season.CronFirings;
import dev.laurel.testkit.Seeds;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Where no clock is set, the firings are those that cron-utils finds in its own way. Left out: 28W
 * and later, where it says Sunday the 28th if that is the month's last day, and throws if there is
 * none.
 */
@ExtendWith(Seeds.class)
class CronUtilsOracleTest {
  private static final com.cronutils.parser.CronParser QUARTZ = grammar(CronType.QUARTZ);
  private static final com.cronutils.parser.CronParser UNIX = grammar(CronType.UNIX);

  @Test
  void firings_randomExpressionsInUtc_areThoseOfCronUtils(Random random) {
    for (int round = 0; round < 3_000; round++) {
      boolean unix = random.nextInt(3) == 0;
      String cron = unix ? unix(random) : quartz(random);
      CronFirings firings = new CronUtilsParser().parse(cron, ZoneOffset.UTC);
      ExecutionTime oracle = ExecutionTime.forCron((unix ? UNIX : QUARTZ).parse(cron));
      for (int i = 0; i < 5; i++) {
        Instant at = Instant.ofEpochSecond(random.nextLong(1_000_000_000, 2_500_000_000L));
        assertEquals(
            oracle.nextExecution(at.atZone(ZoneOffset.UTC)).map(t -> t.toInstant()),
            instant(firings.next(at.toEpochMilli())),
            () -> "next of " + cron + " after " + at);
        assertEquals(
            oracle.lastExecution(at.atZone(ZoneOffset.UTC)).map(t -> t.toInstant()),
            instant(firings.last(at.toEpochMilli() - 1)),
            () -> "last of " + cron + " before " + at);
      }
    }
  }

  private static com.cronutils.parser.CronParser grammar(CronType type) {
    return new com.cronutils.parser.CronParser(CronDefinitionBuilder.instanceDefinitionFor(type));
  }

  private static Optional<Instant> instant(OptionalLong time) {
    return time.isEmpty() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(time.getAsLong()));
  }

  private static String quartz(Random random) {
    String time = field(random, 0, 59) + " " + field(random, 0, 59) + " " + field(random, 0, 23);
    String month = " " + field(random, 1, 12) + " ";
    if (random.nextBoolean()) {
      String day =
          switch (random.nextInt(6)) {
            case 0 -> "L";
            case 1 -> "LW";
            case 2 -> "L-" + (1 + random.nextInt(20));
            case 3 -> 1 + random.nextInt(27) + "W";
            default -> field(random, 1, 28);
          };
      return time + " " + day + month + "?";
    }
    String weekday =
        switch (random.nextInt(5)) {
          case 0 -> 1 + random.nextInt(7) + "L";
          case 1 -> 1 + random.nextInt(7) + "#" + (1 + random.nextInt(4));
          case 2 -> "MON-FRI";
          default -> field(random, 1, 7);
        };
    return time + " ?" + month + weekday;
  }

  private static String unix(Random random) {
    return String.join(
        " ",
        field(random, 0, 59),
        field(random, 0, 23),
        field(random, 1, 28),
        field(random, 1, 12),
        field(random, 0, 6));
  }

  private static String field(Random random, int min, int max) {
    int a = random.nextInt(min, max);
    int b = random.nextInt(a, max + 1);
    return switch (random.nextInt(7)) {
      case 0, 1 -> "*";
      case 2 -> a + "-" + (b == a ? b + 1 : b);
      case 3 -> "*/" + (1 + random.nextInt(max / 2));
      case 4 -> a + "," + (b == a ? b + 1 : b);
      default -> String.valueOf(a);
    };
  }
}
