package dev.laurel.spel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Expressions from a file: one a line, with a comment that says what it is for. */
final class Corpus {
  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-F]{4})");

  private Corpus() {}

  static List<String> read(String file) {
    try (InputStream in = Objects.requireNonNull(Corpus.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("//"))
          .map(Corpus::withoutComment)
          .map(Corpus::unescaped)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutComment(String line) {
    int comment = line.lastIndexOf("  // ");
    if (comment < 0) {
      throw new AssertionError("line: " + line + " (expected: a comment)");
    }
    return line.substring(0, comment);
  }

  private static String unescaped(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(hit -> String.valueOf((char) Integer.parseInt(hit.group(1), 16)));
  }
}
