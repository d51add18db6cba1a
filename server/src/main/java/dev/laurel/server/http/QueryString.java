package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of one request, parsed once and strictly: a name the route does not declare
 * and a name given twice are refused, so a typo is an error and not a default.
 */
final class QueryString {
  static final QueryString EMPTY = new QueryString(List.of(), new @Nullable String[0]);

  private final List<String> names;
  private final @Nullable String[] values;

  private QueryString(List<String> names, @Nullable String[] values) {
    this.names = names;
    this.values = values;
  }

  static QueryString parse(String text, int from, List<String> known) {
    if (from >= text.length()) {
      return EMPTY;
    }
    @Nullable String[] values = new @Nullable String[known.size()];
    int end = text.length();
    for (int start = from; start <= end; ) {
      int next = text.indexOf('&', start);
      next = next < 0 ? end : next;
      if (next > start) {
        int equals = text.indexOf('=', start);
        equals = equals < 0 || equals > next ? next : equals;
        String name = PercentDecoding.query(text, start, equals);
        int index = known.indexOf(name);
        if (index < 0) {
          throw Rejection.expectation(
                  ErrorCode.VALIDATION_ERROR,
                  "query",
                  name,
                  known.isEmpty() ? "no query parameters" : "one of " + String.join(", ", known))
              .asException();
        }
        if (values[index] != null) {
          throw Rejection.invalid(name, "given twice", "once").asException();
        }
        values[index] = PercentDecoding.query(text, Math.min(equals + 1, next), next);
      }
      start = next + 1;
    }
    return new QueryString(known, values);
  }

  @Nullable String get(String name) {
    for (int i = 0; i < values.length; i++) {
      if (names.get(i).equals(name)) {
        return values[i];
      }
    }
    return null;
  }
}
