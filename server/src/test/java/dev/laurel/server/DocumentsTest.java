package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every document owes to a reader who has nothing but this repository. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Papers and lists that the developers had, and readers do not. */
  private static final Pattern UNKNOWN =
      Pattern.compile("(?i)\\bdocuments? 00[0-9]|\\bissue #?[0-9]+\\b");

  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  private static List<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
      }
    }
    assertThat(found).hasSizeGreaterThan(10);
    return found;
  }

  @Test
  void documents_nameNothingThatReadersDoNotHave() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      for (String line : Files.readAllLines(document)) {
        if (UNKNOWN.matcher(line).find()) {
          unknown.add(ROOT.relativize(document) + ": " + line);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void links_leadToFilesThatExist() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path document : documents()) {
      Matcher links = LINK.matcher(Files.readString(document));
      while (links.find()) {
        String target = links.group(1);
        if (!target.contains(":") && !Files.exists(document.resolveSibling(target))) {
          dead.add(ROOT.relativize(document) + ": " + target);
        }
      }
    }
    assertThat(dead).isEmpty();
  }
}
