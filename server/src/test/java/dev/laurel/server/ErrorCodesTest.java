package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.server.http.Statuses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Callers find every code, with its status, on one page and in the API's description. */
class ErrorCodesTest {
  private static final Map<String, Integer> CODES =
      Arrays.stream(ErrorCode.values())
          .collect(
              Collectors.toMap(
                  Enum::name, code -> Statuses.of(code.kind()), (a, _) -> a, TreeMap::new));

  @Test
  void page_hasEachCodeOnceWithItsStatus() throws IOException {
    String page = Files.readString(Path.of("../docs/errors.md"));
    Map<String, Integer> found =
        Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (\\d{3}) \\| .+ \\|$")
            .matcher(page)
            .results()
            .collect(
                Collectors.toMap(
                    row -> row.group(1),
                    row -> Integer.parseInt(row.group(2)),
                    (a, b) -> {
                      throw new AssertionError("twice: " + a + ", " + b);
                    },
                    TreeMap::new));
    assertThat(found).isEqualTo(CODES);
  }

  @Test
  void description_hasEachCode() throws IOException {
    String yaml;
    try (InputStream in =
        Objects.requireNonNull(ErrorCodesTest.class.getResourceAsStream("/openapi.yaml"))) {
      yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String listed =
        yaml.substring(yaml.indexOf("    ErrorCode:\n"), yaml.indexOf("\n  responses:"));
    List<String> found =
        Pattern.compile("(?m)^        - ([A-Z_]+)$")
            .matcher(listed)
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(found).containsExactlyInAnyOrderElementsOf(CODES.keySet());
  }
}
