package dev.laurel.server.api;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Validation;
import dev.laurel.server.http.Fields;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a submission and a time are written in JSON. */
final class ScoreFields {
  /** 9999-12-31T23:59:59.999Z: the last one that ISO 8601 writes with four digits. */
  private static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final String TIME =
      "ISO 8601 with an offset, from 1970 to 9999: 2024-01-15T10:30:00Z";

  private ScoreFields() {}

  /** The common fields of a submission; refuses all others. */
  static Command.Score read(Fields fields, String userId) {
    Command.Score score =
        new Command.Score(
            userId,
            fields.number("score"),
            mode(fields.optionalString("mode")),
            time(fields, "timestamp"),
            fields.optionalString("eventId"),
            fields.optionalRawObject("metadata", Validation.MAX_METADATA_BYTES));
    fields.done();
    return score;
  }

  static @Nullable Long time(Fields fields, String name) {
    String text = fields.optionalString(name);
    if (text == null) {
      return null;
    }
    Long millis = millis(text);
    if (millis == null) {
      throw fields.wrong(name, text, TIME);
    }
    return millis;
  }

  /** A time in a query. */
  static long time(String name, String text) {
    Long millis = millis(text);
    if (millis == null) {
      throw Rejection.invalid(name, text, TIME).asException();
    }
    return millis;
  }

  private static @Nullable Long millis(String text) {
    try {
      long millis =
          OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
              .toInstant()
              .toEpochMilli();
      if (millis >= 0 && millis <= MAX_MILLIS) {
        return millis;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Refused by the caller, which knows the name.
    }
    return null;
  }

  /** best, latest or increment; the names of the update rules are understood as well. */
  static @Nullable Update mode(@Nullable String text) {
    if (text == null) {
      return null;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "best" -> Update.BEST;
      case "latest" -> Update.LATEST;
      case "increment", "sum" -> Update.SUM;
      default -> throw Rejection.invalid("mode", text, "best | latest | increment").asException();
    };
  }
}
