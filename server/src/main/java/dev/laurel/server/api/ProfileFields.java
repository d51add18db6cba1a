package dev.laurel.server.api;

import dev.laurel.core.privacy.DisplayNames;
import dev.laurel.core.store.Profile;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * A profile in JSON.
 *
 * @param hiddenFrom see {@link Profile}
 */
record ProfileFields(@Nullable String displayName, long hiddenFrom) {
  private static final String EXPECTED = "\"never\", \"everywhere\" or {\"below\": a rank}";
  private static final int MAX_RANK = Integer.MAX_VALUE;

  /**
   * @param nameField displayName, or display_name
   */
  static ProfileFields read(Fields fields, String nameField) {
    String name = fields.optionalString(nameField);
    String shown = name == null ? null : DisplayNames.require(nameField, name);
    long hiddenFrom = hiddenFrom(fields);
    fields.done();
    return new ProfileFields(shown, hiddenFrom);
  }

  private static long hiddenFrom(Fields fields) {
    return switch (fields.value("anonymous")) {
      case null -> 0;
      case String never when never.equals("never") -> 0;
      case String all when all.equals("everywhere") -> 1;
      case Fields rule -> {
        int below = rule.requiredInteger("below", 1, MAX_RANK);
        rule.done();
        yield below + 1L;
      }
      case Object other -> throw fields.wrong("anonymous", other, EXPECTED);
    };
  }

  static ProfileFields of(@Nullable Profile profile) {
    return profile == null
        ? new ProfileFields(null, 0)
        : new ProfileFields(profile.displayName(), profile.hiddenFrom());
  }

  /** The fields alone: the caller opens and closes the object. */
  void write(JsonOut out, String nameField) {
    if (displayName != null) {
      out.name(nameField).string(displayName);
    }
    out.name("anonymous");
    if (hiddenFrom > 1) {
      out.beginObject().name("below").number(hiddenFrom - 1).endObject();
    } else {
      out.string(hiddenFrom == 0 ? "never" : "everywhere");
    }
  }
}
