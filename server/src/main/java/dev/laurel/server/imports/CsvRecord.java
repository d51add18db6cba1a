package dev.laurel.server.imports;

import java.util.ArrayList;
import java.util.List;

/**
 * One record of RFC 4180: fields by commas, quotes around what contains a comma, quote or break.
 */
sealed interface CsvRecord {
  record Fields(List<String> values) implements CsvRecord {}

  /** A quoted field goes on in the next line, if there is one. */
  record Open() implements CsvRecord {}

  record Malformed(String why) implements CsvRecord {}

  static CsvRecord parse(String text) {
    List<String> values = new ArrayList<>();
    int at = 0;
    while (true) {
      if (at < text.length() && text.charAt(at) == '"') {
        StringBuilder value = new StringBuilder();
        int close = quoted(text, at + 1, value);
        if (close < 0) {
          return new Open();
        }
        at = close + 1;
        if (at < text.length() && text.charAt(at) != ',') {
          return new Malformed("text after a closing quote (expected: a comma)");
        }
        values.add(value.toString());
      } else {
        int comma = text.indexOf(',', at);
        String value = text.substring(at, comma < 0 ? text.length() : comma);
        if (value.indexOf('"') >= 0) {
          return new Malformed("a quote inside an unquoted field (expected: \"…\"\"…\")");
        }
        values.add(value);
        at += value.length();
      }
      if (at == text.length()) {
        return new Fields(values);
      }
      at++; // the comma; after the last one there is an empty field
    }
  }

  /** The place of the closing quote; -1 if there is none. */
  private static int quoted(String text, int from, StringBuilder value) {
    int at = from;
    while (true) {
      int quote = text.indexOf('"', at);
      if (quote < 0) {
        return -1;
      }
      value.append(text, at, quote);
      if (quote + 1 == text.length() || text.charAt(quote + 1) != '"') {
        return quote;
      }
      value.append('"');
      at = quote + 2;
    }
  }
}
