package dev.laurel.server.api;

import dev.laurel.core.model.IsoTimes;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Validation;
import dev.laurel.server.http.Fields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a submission and a time are written in JSON. */
final class ScoreFields {
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
    Long millis = IsoTimes.millis(text);
    if (millis == null) {
      throw fields.wrong(name, text, IsoTimes.EXPECTED);
    }
    return millis;
  }

  /** A time in a query. */
  static long time(String name, String text) {
    Long millis = IsoTimes.millis(text);
    if (millis == null) {
      throw Rejection.invalid(name, text, IsoTimes.EXPECTED).asException();
    }
    return millis;
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
