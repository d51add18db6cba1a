package dev.laurel.server.imports;

import org.jspecify.annotations.Nullable;

/** A record of the file: what to send for it, or why it cannot be sent. */
sealed interface ImportLine {
  /** Counted from 1, where it begins. */
  long number();

  /** As it is in the file, for whoever has to mend it. */
  String text();

  /**
   * @param userId null if only the server can say what is wrong with it
   * @param timed whether it has a time of its own
   * @param json an element of the batch route's {@code scores}
   */
  record Good(long number, String text, @Nullable String userId, boolean timed, byte[] json)
      implements ImportLine {}

  record Bad(long number, String text, String code, String message) implements ImportLine {}
}
