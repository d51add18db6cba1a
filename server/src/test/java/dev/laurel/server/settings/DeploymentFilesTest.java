package dev.laurel.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What these tests cannot run, there being no Docker, at least names settings that there are. */
class DeploymentFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path CHART = ROOT.resolve("deploy/helm/laurel");
  private static final Pattern NAME = Pattern.compile("LAUREL_[A-Z0-9_]+");
  private static final Set<String> KNOWN =
      Settings.ALL.stream().map(Setting::env).collect(Collectors.toSet());

  private static Map<?, ?> yaml(Path file) throws IOException {
    Load load = new Load(LoadSettings.builder().build());
    return map(load.loadFromString(Files.readString(file)), file.toString());
  }

  private static Map<?, ?> map(@Nullable Object value, String what) {
    assertThat(value).as(what).isInstanceOf(Map.class);
    return (Map<?, ?>) Objects.requireNonNull(value);
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> chart = Files.walk(CHART)) {
      return Stream.concat(
              Stream.of(ROOT.resolve("compose.yaml"), ROOT.resolve("Dockerfile")),
              chart.filter(Files::isRegularFile))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void names_ofSettings_areThoseThereAre(Path file) throws IOException {
    assertThat(NAME.matcher(Files.readString(file)).results().map(MatchResult::group))
        .allMatch(KNOWN::contains, "a setting of `laurel help serve`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"laurel", "Dockerfile"})
  void java_outOfMemory_ends(String file) throws IOException {
    assertThat(Files.readString(ROOT.resolve(file))).contains("-XX:+ExitOnOutOfMemoryError");
  }

  @Test
  void compose_twoNodes_shareADatabaseAndRedis() throws IOException {
    Map<?, ?> services = map(yaml(ROOT.resolve("compose.yaml")).get("services"), "services");
    for (String node : List.of("laurel-1", "laurel-2")) {
      // What both have in common is merged, which Docker does and this parser of YAML 1.2 does not.
      Map<?, ?> service = map(map(services.get(node), node).get("<<"), node);
      assertThat(service.get("healthcheck")).isNotNull();
      assertThat(map(service.get("environment"), node).keySet())
          .map(Object::toString)
          .contains("LAUREL_DATABASE_URL", "LAUREL_REDIS_URL", "LAUREL_ADMIN_KEY");
      assertThat(map(service.get("depends_on"), node).keySet())
          .map(Object::toString)
          .allMatch(services::containsKey);
    }
  }

  /** A secret that everybody knows is none. */
  @Test
  void secrets_haveNoDefaults() throws IOException {
    String compose = Files.readString(ROOT.resolve("compose.yaml"));
    assertThat(compose).doesNotContain(":-").contains("--requirepass");
    for (String secret : List.of("LAUREL_ADMIN_KEY", "POSTGRES_PASSWORD", "VALKEY_PASSWORD")) {
      assertThat(compose).contains("${" + secret + ":?");
    }
    assertThat(Files.readString(ROOT.resolve("Dockerfile"))).contains("LAUREL_ADMIN_KEY_FILE=");
    assertThat(Files.readString(CHART.resolve("templates/deployment.yaml")))
        .contains("required \"admin.existingSecret")
        .contains("LAUREL_TRUSTED_PROXIES");
    assertThat(Files.readString(CHART.resolve("templates/networkpolicy.yaml")))
        .contains("kind: NetworkPolicy");
  }

  /** Every {@code .Values.a.b} of a template is in values.yaml. */
  @Test
  void templates_values_areThoseThereAre() throws IOException {
    Map<?, ?> values = yaml(CHART.resolve("values.yaml"));
    Pattern value = Pattern.compile("\\.Values\\.([A-Za-z.]+)");
    for (Path file : files()) {
      for (MatchResult found : value.matcher(Files.readString(file)).results().toList()) {
        String what = found.group() + " in " + file;
        Object at = values;
        for (String part : found.group(1).split("\\.")) {
          assertThat(map(at, what).containsKey(part)).as(what).isTrue();
          at = map(at, what).get(part);
        }
      }
    }
  }
}
