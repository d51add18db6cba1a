package dev.laurel.spel;

/**
 * Looks at the characters before the parser does.
 *
 * <p>Spring's parser is recursive: a thousand opening brackets would take its stack. It also reads
 * two things in its own way that must not pass: it skips a null character, and it drops what
 * follows {@code ++} after a power ({@code 2^2 ++ 3} is 4).
 */
final class SourceGuard {
  static final int MAX_LENGTH = 1000;

  /** Open brackets, conditionals and exclamation marks: each takes frames of the parser. */
  static final int MAX_NESTING = 50;

  private SourceGuard() {}

  static void check(String text) {
    if (text.isBlank()) {
      throw Refusals.invalid(0, "nothing", "an expression");
    }
    if (text.length() > MAX_LENGTH) {
      throw Refusals.invalid(
          MAX_LENGTH, text.length() + " characters", "at most " + MAX_LENGTH + " characters");
    }
    int open = 0;
    int prefixes = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        i += inString(text, i);
        // A doubled quote closes and opens again: the same to this scan.
        quote = c == quote ? 0 : quote;
        continue;
      }
      switch (c) {
        case '\'', '"' -> quote = c;
        case '(', '[', '{' -> open++;
        case ')', ']', '}' -> open--;
        case '?', '!' -> prefixes++;
        case '+', '-' -> {
          if (i + 1 < text.length() && text.charAt(i + 1) == c) {
            throw Refusals.invalid(i, "" + c + c, "one sign, or a space between two");
          }
        }
        default -> {
          // Letters of other scripts look like ours, and no feature's name has them.
          if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c > '~') {
            throw Refusals.invalid(
                i, "U+%04X".formatted((int) c), "plain characters outside of strings");
          }
        }
      }
      if (open < 0) {
        throw Refusals.invalid(i, c, "a bracket that was opened");
      }
      if (open + prefixes > MAX_NESTING) {
        throw Refusals.invalid(
            i, "nested too deeply", "at most " + MAX_NESTING + " open brackets, ? and !");
      }
    }
  }

  /** Strings may be of any script, but not of characters that nobody sees. */
  private static int inString(String text, int i) {
    int c = text.codePointAt(i);
    int type = Character.getType(c);
    if (type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE) {
      throw Refusals.invalid(i, "U+%04X".formatted(c), "visible characters in strings");
    }
    return Character.charCount(c) - 1;
  }
}
