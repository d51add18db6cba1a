package dev.laurel.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
  @TempDir Path folder = Path.of("");

  private Configuration read(Map<String, String> options, Map<String, String> env) {
    return new SettingsReader(env, folder).read(options);
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void read_nothingGiven_isTheDefaults() {
    Configuration settings = read(Map.of(), Map.of());
    assertThat(settings.get(Settings.PORT)).isEqualTo(8080);
    assertThat(settings.get(Settings.HOST)).isEqualTo("127.0.0.1");
    assertThat(settings.get(Settings.MAX_CONNECTIONS)).isZero();
    assertThat(settings.get(Settings.ACCESS_LOG)).isEqualTo(AccessLogMode.ERRORS);
    assertThat(settings.find(Settings.ADMIN_KEY)).isNull();
  }

  @Test
  void read_everySource_strongestWins() throws IOException {
    file("laurel.yaml", "port: 1\n");
    assertThat(read(Map.of(), Map.of()).get(Settings.PORT)).isEqualTo(1);
    assertThat(read(Map.of(), Map.of("PORT", "2")).get(Settings.PORT)).isEqualTo(2);
    Map<String, String> both = Map.of("PORT", "2", "LAUREL_PORT", "3");
    assertThat(read(Map.of(), both).get(Settings.PORT)).isEqualTo(3);
    assertThat(read(Map.of("port", "4"), both).get(Settings.PORT)).isEqualTo(4);
  }

  /** Those that the documents and platforms have. */
  @Test
  void read_otherNames_areTheSettingsThemselves() {
    Map<String, String> env =
        Map.of(
            "PORT", "81",
            "REDIS_URL", "redis://r:1",
            "POSTGRES_URL", "jdbc:postgresql://p/x",
            "JWT_JWKS_URL", "https://login/jwks",
            "JWT_ISSUER", "https://login/",
            "JWT_AUDIENCE", "game",
            "ACTION_RULES_JSON_PATH", "/etc/rules.json",
            "AWARD_RATE_PER_MINUTE", "7",
            "AWARDING_ENABLED", "false");
    Configuration settings = read(Map.of(), env);
    assertThat(settings.get(Settings.PORT)).isEqualTo(81);
    assertThat(settings.get(Settings.REDIS_URL)).isEqualTo("redis://r:1");
    assertThat(settings.get(Settings.DATABASE_URL)).isEqualTo("jdbc:postgresql://p/x");
    assertThat(settings.get(Settings.JWT_JWKS_URL)).isEqualTo("https://login/jwks");
    assertThat(settings.get(Settings.JWT_ISSUER)).isEqualTo("https://login/");
    assertThat(settings.get(Settings.JWT_AUDIENCE)).isEqualTo("game");
    assertThat(settings.get(Settings.AWARD_RULES)).isEqualTo("/etc/rules.json");
    assertThat(settings.get(Settings.AWARD_RATE)).isEqualTo(7);
    assertThat(settings.get(Settings.AWARDING_ENABLED)).isFalse();
  }

  @Test
  void read_emptyVariable_isNotSet() {
    assertThat(read(Map.of(), Map.of("LAUREL_PORT", "")).get(Settings.PORT)).isEqualTo(8080);
  }

  @Test
  void read_properties_areRead() throws IOException {
    file("laurel.properties", "host=0.0.0.0\nmax-connections=7\n");
    Configuration settings = read(Map.of(), Map.of());
    assertThat(settings.get(Settings.HOST)).isEqualTo("0.0.0.0");
    assertThat(settings.get(Settings.MAX_CONNECTIONS)).isEqualTo(7);
  }

  @Test
  void read_yamlScalarsThatLookLikeNumbers_stayAsWritten() throws IOException {
    file("laurel.yml", "admin-key: 0123456789012345678901\n");
    assertThat(read(Map.of(), Map.of()).get(Settings.ADMIN_KEY))
        .isEqualTo("0123456789012345678901");
  }

  @Test
  void read_configOption_namesTheFile() throws IOException {
    file("other.yaml", "port: 99\n");
    assertThat(read(Map.of("config", "other.yaml"), Map.of()).get(Settings.PORT)).isEqualTo(99);
    assertThat(read(Map.of(), Map.of("LAUREL_CONFIG", "other.yaml")).get(Settings.PORT))
        .isEqualTo(99);
  }

  @Test
  void read_badValue_namesSettingSourceValueAndExpectation() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("LAUREL_PORT", "65536")))
        .isInstanceOf(SettingException.class)
        .hasMessage("port: 65536 from the environment variable LAUREL_PORT (expected: 0..65535)");
    assertThatThrownBy(() -> read(Map.of("access-log", "some"), Map.of()))
        .hasMessage("access-log: some from the option --access-log (expected: off|errors|all)");
  }

  @Test
  void read_badSecret_isNotPrinted() {
    assertThatThrownBy(() -> read(Map.of("admin-key", "hunter2"), Map.of()))
        .hasMessageContaining("admin-key: (hidden) from the option --admin-key")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void read_unknownKeyInFile_isRefusedByName() throws IOException {
    file("laurel.yaml", "prot: 1\n");
    assertThatThrownBy(() -> read(Map.of(), Map.of()))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("prot: unknown setting in ");
  }

  @Test
  void read_kafkaProperties_arePassedOnUnderKafkasNames() throws IOException {
    file("laurel.yaml", "kafka.security.protocol: SSL\nkafka.ssl.key.password: secret\n");
    Configuration settings =
        read(
            Map.of(),
            Map.of(
                "LAUREL_KAFKA_SECURITY_PROTOCOL", "SASL_SSL",
                "LAUREL_KAFKA_BOOTSTRAP", "b:9092",
                "LAUREL_KAFKA_GROUP", "g",
                "LAUREL_KAFKA_CLIENT_RACK", ""));
    assertThat(settings.kafka())
        .isEqualTo(Map.of("security.protocol", "SASL_SSL", "ssl.key.password", "secret"));
    assertThat(settings.get(Settings.KAFKA_BOOTSTRAP)).isEqualTo("b:9092");
    assertThat(settings.get(Settings.KAFKA_GROUP)).isEqualTo("g");
  }

  @Test
  void read_configInsideFile_isRefused() throws IOException {
    file("laurel.yaml", "config: other.yaml\n");
    assertThatThrownBy(() -> read(Map.of(), Map.of())).hasMessageStartingWith("config: unknown");
  }

  @Test
  void read_malformedFiles_areRefusedWithTheFilesName() throws IOException {
    file("a.yaml", "port: [1\n");
    file("b.yaml", "- port\n");
    file("c.yaml", "port: {a: 1}\n");
    file("d.yaml", "port: 1\nport: 2\n");
    file("e.properties", "port=\\u00zz\n");
    file("f.toml", "port = 1\n");
    for (String name : Set.of("a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.properties", "f.toml")) {
      assertThatThrownBy(() -> read(Map.of("config", name), Map.of()))
          .as(name)
          .isInstanceOf(SettingException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void read_missingFile_isRefused() {
    assertThatThrownBy(() -> read(Map.of("config", "no.yaml"), Map.of()))
        .hasMessageContaining("no.yaml")
        .hasMessageContaining("expected: a file that exists");
  }

  @Test
  void read_twoUsualFiles_isRefused() throws IOException {
    file("laurel.yaml", "port: 1\n");
    file("laurel.properties", "port=1\n");
    assertThatThrownBy(() -> read(Map.of(), Map.of())).hasMessageContaining("both here");
  }

  @Test
  void all_names_areDistinctAndDescribed() {
    Set<String> names = new HashSet<>();
    for (Setting<?> setting : Settings.ALL) {
      assertThat(names.add(setting.name())).isTrue();
      assertThat(names.add(setting.env())).isTrue();
      assertThat(setting.envAliases()).allMatch(names::add);
      assertThat(setting.description()).isNotBlank();
    }
  }

  @Test
  void read_idsThatWouldBeForgottenAtOnce_isRefused() {
    assertThatThrownBy(() -> read(Map.of("forget-ids-after", "PT0S"), Map.of()))
        .hasMessageContaining("at least PT1H");
    assertThat(read(Map.of("forget-ids-after", "never"), Map.of()).get(Settings.FORGET_IDS_AFTER))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void read_misspeltVariable_isRefused() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("LAUREL_PROT", "9")))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("LAUREL_PROT");
    // Those of other verbs, of Kafka's clients and of Kubernetes are not misspelt.
    Map<String, String> others =
        Map.of(
            "LAUREL_URL", "http://127.0.0.1:1",
            "LAUREL_KAFKA_SECURITY_PROTOCOL", "SSL",
            "LAUREL_SERVICE_HOST", "127.0.0.1",
            "LAUREL_PORT_8080_TCP", "tcp://127.0.0.1:8080");
    assertThat(read(Map.of(), others).get(Settings.PORT)).isEqualTo(8080);
  }

  @Test
  void read_settingWithoutEffect_isRefused() {
    assertThatThrownBy(() -> read(Map.of("kafka-changes", "changes"), Map.of()))
        .isInstanceOf(SettingException.class)
        .hasMessage("kafka-changes: has no effect (expected: with kafka-bootstrap beside it)");
    Map<String, String> both = Map.of("kafka-changes", "changes", "kafka-bootstrap", "127.0.0.1:1");
    assertThat(read(both, Map.of()).find(Settings.KAFKA_CHANGES)).isEqualTo("changes");
    // Its default is nobody's wish.
    assertThat(read(Map.of(), Map.of()).get(Settings.REDIS_PREFIX)).isEqualTo("laurel");
  }
}
