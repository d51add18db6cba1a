package dev.laurel.server.imports;

/**
 * Text of users in a CSV that people open with a spreadsheet. A cell that begins with one of a few
 * characters is a formula there, and a formula can run programs: such text gets an apostrophe
 * before it. Text that has apostrophes and then such a character gets one more, so that taking one
 * off gives back every text exactly.
 */
public final class CsvText {
  /** The wide ones are taken for the others where people write with wide characters. */
  private static final String BEGINS_FORMULA = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

  private static final char GUARD = '\'';

  private CsvText() {}

  /** What no spreadsheet takes for a formula. */
  public static String guarded(String text) {
    return isFormulaAfter(apostrophes(text), text) ? GUARD + text : text;
  }

  /** What {@link #guarded} was given. */
  static String bare(String text) {
    int guards = apostrophes(text);
    return guards > 0 && isFormulaAfter(guards, text) ? text.substring(1) : text;
  }

  private static int apostrophes(String text) {
    int count = 0;
    while (count < text.length() && text.charAt(count) == GUARD) {
      count++;
    }
    return count;
  }

  private static boolean isFormulaAfter(int apostrophes, String text) {
    return apostrophes < text.length() && BEGINS_FORMULA.indexOf(text.charAt(apostrophes)) >= 0;
  }

  /**
   * As RFC 4180 has it. Semicolons and tabs are quoted too: spreadsheets of some countries take
   * them for the end of a cell, and what follows for a formula.
   */
  public static String quoted(String text) {
    boolean plain =
        text.chars().noneMatch(c -> ",\";\t".indexOf(c) >= 0) && text.strip().equals(text);
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
