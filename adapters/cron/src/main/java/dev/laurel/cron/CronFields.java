package dev.laurel.cron;

import com.cronutils.model.Cron;
import com.cronutils.model.field.CronField;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.expression.QuestionMark;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what cron-utils has read into sets of values, once; asking them is cheap. */
final class CronFields {
  /** The years that Quartz knows. */
  static final int FIRST_YEAR = 1970;

  private static final int LAST_YEAR = 2099;

  private CronFields() {}

  /**
   * @param sunday the number of Sunday: 1 in Quartz, 0 (and 7) in Unix
   */
  static LocalFirings compile(Cron cron, int sunday) {
    FieldExpression second = field(cron, CronFieldName.SECOND);
    DayTimes times =
        new DayTimes(
            values(field(cron, CronFieldName.HOUR), 0, 23),
            values(field(cron, CronFieldName.MINUTE), 0, 59),
            second == null ? only(0) : values(second, 0, 59));
    return new LocalFirings(times, years(cron), months(cron), days(cron, sunday));
  }

  private static BitSet months(Cron cron) {
    return values(field(cron, CronFieldName.MONTH), 1, 12);
  }

  /** Counted from {@link #FIRST_YEAR}; null if it goes on for ever. */
  private static @Nullable BitSet years(Cron cron) {
    FieldExpression year = field(cron, CronFieldName.YEAR);
    if (year == null || isOpen(year)) {
      return null;
    }
    return values(year, FIRST_YEAR, LAST_YEAR).get(FIRST_YEAR, LAST_YEAR + 1);
  }

  private static @Nullable FieldExpression field(Cron cron, CronFieldName name) {
    CronField field = cron.retrieveFieldsAsMap().get(name);
    return field == null ? null : field.getExpression();
  }

  private static boolean isOpen(@Nullable FieldExpression field) {
    return field == null || field instanceof Always || field instanceof QuestionMark;
  }

  /** Days of the month, of the week, or if both are given (only Unix has that) either. */
  private static MonthDays days(Cron cron, int sunday) {
    FieldExpression ofMonth = field(cron, CronFieldName.DAY_OF_MONTH);
    FieldExpression ofWeek = field(cron, CronFieldName.DAY_OF_WEEK);
    List<MonthDays> found = new ArrayList<>();
    if (!isOpen(ofMonth) || isOpen(ofWeek)) {
      for (FieldExpression part : parts(ofMonth)) {
        found.add(dayOfMonth(part));
      }
    }
    if (!isOpen(ofWeek)) {
      for (FieldExpression part : parts(ofWeek)) {
        found.add(dayOfWeek(part, sunday));
      }
    }
    return MonthDays.either(found);
  }

  private static List<FieldExpression> parts(@Nullable FieldExpression field) {
    return field instanceof And and
        ? and.getExpressions()
        : List.of(field == null ? FieldExpression.always() : field);
  }

  private static MonthDays dayOfMonth(FieldExpression part) {
    if (part instanceof On on && special(on) != SpecialChar.NONE) {
      int day = on.getTime().getValue();
      if (special(on) == SpecialChar.L && day > 0) {
        // cron-utils reads 10L as L, although it means nothing.
        throw unknown(part);
      }
      return switch (special(on)) {
        case L -> MonthDays.fromLast(Math.max(on.getNth().getValue(), 0));
        case LW -> MonthDays.lastWorkday();
        case W -> MonthDays.workdayNear(day);
        default -> throw unknown(part);
      };
    }
    return MonthDays.ofMonth(values(part, 1, 31));
  }

  private static MonthDays dayOfWeek(FieldExpression part, int sunday) {
    if (part instanceof On on && special(on) != SpecialChar.NONE) {
      int day = on.getTime().getValue();
      return switch (special(on)) {
        // A bare L is the last day of Quartz's week, every Saturday.
        case L ->
            day < 0
                ? MonthDays.ofWeek(only(MonthDays.SATURDAY))
                : MonthDays.lastOfWeek(isoDay(day, sunday));
        case HASH -> MonthDays.nthOfWeek(isoDay(day, sunday), on.getNth().getValue());
        default -> throw unknown(part);
      };
    }
    // Unix may name Sunday 7, but its steps end at 6: else 1/3 would reach it by accident.
    int last = part instanceof Every ? sunday + 6 : 7;
    BitSet week = new BitSet();
    values(part, sunday, last).stream().forEach(day -> week.set(isoDay(day, sunday)));
    return MonthDays.ofWeek(week);
  }

  private static BitSet only(int value) {
    BitSet found = new BitSet();
    found.set(value);
    return found;
  }

  /** Monday is 1 and Sunday 7, as in java.time. */
  private static int isoDay(int day, int sunday) {
    int iso = (day - sunday) % 7;
    return iso == 0 ? 7 : iso;
  }

  private static BitSet values(@Nullable FieldExpression field, int min, int max) {
    BitSet found = new BitSet(max + 1);
    for (FieldExpression part : parts(field)) {
      add(found, part, min, max);
    }
    return found;
  }

  private static void add(BitSet to, FieldExpression part, int min, int max) {
    switch (part) {
      case Always _, QuestionMark _ -> range(to, min, max, 1, min, max);
      case On on when special(on) == SpecialChar.NONE -> to.set(on.getTime().getValue());
      case Between b -> range(to, number(b.getFrom(), b), number(b.getTo(), b), 1, min, max);
      case Every every -> {
        int step = every.getPeriod().getValue();
        switch (every.getExpression()) {
          case Always _ -> range(to, min, max, step, min, max);
          case On on when special(on) == SpecialChar.NONE ->
              range(to, on.getTime().getValue(), max, step, min, max);
          case Between b -> range(to, number(b.getFrom(), b), number(b.getTo(), b), step, min, max);
          default -> throw unknown(part);
        }
      }
      default -> throw unknown(part);
    }
  }

  /** A range that ends before it begins goes round: 22-2 are the hours over midnight. */
  private static void range(BitSet to, int first, int last, int step, int min, int max) {
    int size = max - min + 1;
    int end = first <= last ? last : last + size;
    for (int i = first; i <= end; i += step) {
      to.set(i > max ? i - size : i);
    }
  }

  private static int number(FieldValue<?> value, FieldExpression part) {
    if (value.getValue() instanceof Integer number) {
      return number;
    }
    throw unknown(part);
  }

  private static SpecialChar special(On on) {
    return on.getSpecialChar().getValue();
  }

  private static IllegalArgumentException unknown(FieldExpression part) {
    return new IllegalArgumentException(part.asString() + " is not understood");
  }
}
