package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/threat-model.md says is tested, is. */
class ThreatModelTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z][A-Za-z]*(?:Test|IT))(?:\\.([a-z][A-Za-z0-9_]*))?`");

  @Test
  void document_everyTestThatItNames_isThere() throws IOException {
    Map<String, String> sources = sources();
    var named =
        NAMED
            .matcher(Files.readString(ROOT.resolve("docs/threat-model.md")))
            .results()
            .filter(found -> !found.group(1).equals("ThreatModelTest"))
            .toList();
    assertThat(named).hasSizeGreaterThan(40);
    for (MatchResult test : named) {
      String source = sources.get(test.group(1));
      assertThat(source).as(test.group()).isNotNull();
      if (test.group(2) != null) {
        assertThat(source).as(test.group()).contains("void " + test.group(2) + "(");
      }
    }
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : new String[] {"core", "server", "adapters"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
        for (Path file : files.filter(ThreatModelTest::isTest).toList()) {
          String name = file.getFileName().toString();
          sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
        }
      }
    }
    return sources;
  }

  private static boolean isTest(Path file) {
    String path = file.toString();
    return path.contains("/src/test/java/")
        && (path.endsWith("Test.java") || path.endsWith("IT.java"));
  }
}
