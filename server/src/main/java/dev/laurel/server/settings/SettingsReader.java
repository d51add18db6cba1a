package dev.laurel.server.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Finds each setting's value: the command line, then the environment, then a file, then the
 * default. The first source that has a value wins; an empty environment variable has none, because
 * that is how compose files spell "not set".
 */
public final class SettingsReader {
  private static final List<String> USUAL_FILES =
      List.of("laurel.yaml", "laurel.yml", "laurel.properties");

  private static final String DEFAULT = "its default";
  private static final String KAFKA_KEY = "kafka.";
  private static final String ENV = "LAUREL_";
  private static final String KAFKA_ENV = ENV + "KAFKA_";

  /** What other verbs, the script and tests read. */
  private static final Set<String> OTHER_ENV =
      Set.of(
          "LAUREL_CA",
          "LAUREL_CERT",
          "LAUREL_CERT_KEY",
          "LAUREL_CHROMIUM",
          "LAUREL_CLIENT",
          "LAUREL_JAVA_OPTS",
          "LAUREL_KEY",
          "LAUREL_TOKEN",
          "LAUREL_URL");

  /** What has an effect only beside another setting. */
  private static final Map<Setting<?>, Setting<?>> NEEDED =
      Map.of(
          Settings.DATABASE_USER, Settings.DATABASE_URL,
          Settings.DATABASE_PASSWORD, Settings.DATABASE_URL,
          Settings.KAFKA_CHANGES, Settings.KAFKA_BOOTSTRAP,
          Settings.KAFKA_GROUP, Settings.KAFKA_BOOTSTRAP,
          Settings.OPS_HOST, Settings.OPS_PORT,
          Settings.REDIS_PREFIX, Settings.REDIS_URL,
          Settings.TLS_CLIENTS, Settings.TLS_CLIENT_CA);

  /** What Kubernetes sets for a service that is called laurel. */
  private static final List<String> SERVICE_ENV = List.of("LAUREL_SERVICE_", "LAUREL_PORT_");

  private final Map<String, String> env;
  private final Path folder;

  public SettingsReader(Map<String, String> env, Path folder) {
    this.env = env;
    this.folder = folder;
  }

  /**
   * @param options what was given on the command line, by setting name
   */
  public Configuration read(Map<String, String> options) {
    Found config = find(Settings.CONFIG, options, Map.of(), "");
    Path file = config == null ? usualFile() : folder.resolve(config.text());
    Map<String, String> fromFile = file == null ? Map.of() : readFile(file);
    String fileSource = "the file " + file;
    for (String key : fromFile.keySet()) {
      boolean isConfig = key.equals(Settings.CONFIG.name());
      if (key.startsWith(KAFKA_KEY)) {
        continue;
      }
      if (isConfig || Settings.ALL.stream().noneMatch(s -> s.name().equals(key))) {
        throw new SettingException(
            key + ": unknown setting in " + file + " (expected: one of `laurel help serve`)");
      }
    }
    env.keySet().forEach(SettingsReader::requireKnown);
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      Found found = find(setting, options, fromFile, fileSource);
      if (found != null) {
        values.put(setting, setting.parse(found.text(), found.source()));
      }
    }
    NEEDED.forEach(
        (setting, needed) -> {
          Found found = find(setting, options, fromFile, fileSource);
          if (found != null && !found.source().equals(DEFAULT) && !values.containsKey(needed)) {
            throw new SettingException(
                "%s: has no effect (expected: with %s beside it)"
                    .formatted(setting.name(), needed.name()));
          }
        });
    return new Configuration(values, kafka(fromFile));
  }

  /** A misspelt variable would have no effect, and nobody would see it. */
  private static void requireKnown(String variable) {
    boolean known =
        !variable.startsWith(ENV)
            || variable.startsWith(KAFKA_ENV)
            || OTHER_ENV.contains(variable)
            || SERVICE_ENV.stream().anyMatch(variable::startsWith)
            || Settings.ALL.stream()
                .anyMatch(s -> s.env().equals(variable) || s.envAliases().contains(variable));
    if (!known) {
      throw new SettingException(
          variable
              + ": unknown setting in the environment (expected: one of `laurel help serve`, such as"
              + " LAUREL_PORT)");
    }
  }

  /**
   * What is handed to Kafka's clients: kafka.security.protocol in a file, which is
   * LAUREL_KAFKA_SECURITY_PROTOCOL in the environment. No property of theirs has another character
   * than small letters, digits and dots.
   */
  private Map<String, String> kafka(Map<String, String> fromFile) {
    Map<String, String> properties = new HashMap<>();
    fromFile.forEach(
        (key, value) -> {
          if (key.startsWith(KAFKA_KEY)) {
            properties.put(key.substring(KAFKA_KEY.length()), value);
          }
        });
    env.forEach(
        (name, value) -> {
          boolean setting = Settings.ALL.stream().anyMatch(s -> s.env().equals(name));
          if (name.startsWith(KAFKA_ENV) && !setting && !value.isEmpty()) {
            String property = name.substring(KAFKA_ENV.length()).replace('_', '.');
            properties.put(property.toLowerCase(Locale.ROOT), value);
          }
        });
    return properties;
  }

  private record Found(String text, String source) {}

  private @Nullable Found find(
      Setting<?> setting,
      Map<String, String> options,
      Map<String, String> fromFile,
      String fileSource) {
    String option = options.get(setting.name());
    if (option != null) {
      return new Found(option, "the option " + setting.option());
    }
    Found variable = findEnv(setting.env());
    for (String alias : setting.envAliases()) {
      variable = variable == null ? findEnv(alias) : variable;
    }
    if (variable != null) {
      return variable;
    }
    String line = fromFile.get(setting.name());
    if (line != null) {
      return new Found(line, fileSource);
    }
    return setting.defaultText() == null ? null : new Found(setting.defaultText(), DEFAULT);
  }

  private @Nullable Found findEnv(String name) {
    String value = env.get(name);
    return value == null || value.isEmpty()
        ? null
        : new Found(value, "the environment variable " + name);
  }

  private @Nullable Path usualFile() {
    List<Path> found =
        USUAL_FILES.stream().map(folder::resolve).filter(Files::isRegularFile).toList();
    if (found.size() > 1) {
      throw new SettingException(
          "config: %s and %s are both here (expected: one of them, or --config)"
              .formatted(found.get(0).getFileName(), found.get(1).getFileName()));
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private static Map<String, String> readFile(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new SettingException("config: " + file + " (expected: a file that exists)");
    } catch (CharacterCodingException e) {
      throw new SettingException("config: " + file + " (expected: a file in UTF-8)");
    } catch (IOException e) {
      throw new SettingException("config: " + file + " cannot be read: " + e.getMessage());
    }
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".properties")) {
      return parseProperties(text, file);
    }
    if (name.endsWith(".yaml") || name.endsWith(".yml")) {
      return parseYaml(text, file);
    }
    throw new SettingException("config: " + file + " (expected: .yaml, .yml or .properties)");
  }

  private static Map<String, String> parseProperties(String text, Path file) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw new SettingException("config: " + file + " is malformed: " + e.getMessage());
    }
    Map<String, String> values = new LinkedHashMap<>();
    properties.stringPropertyNames().forEach(k -> values.put(k, properties.getProperty(k)));
    return values;
  }

  private static Map<String, String> parseYaml(String text, Path file) {
    // The failsafe schema leaves scalars as they were written: a key 0123 stays 0123.
    LoadSettings strict =
        LoadSettings.builder().setSchema(new FailsafeSchema()).setAllowDuplicateKeys(false).build();
    Object document;
    try {
      document = new Load(strict).loadFromString(text);
    } catch (YamlEngineException e) {
      throw new SettingException("config: " + file + " is malformed: " + e.getMessage());
    }
    if (document == null || document.equals("")) {
      return Map.of();
    }
    if (!(document instanceof Map<?, ?> map)) {
      throw new SettingException("config: " + file + " (expected: lines of the form name: value)");
    }
    Map<String, String> values = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (!(value instanceof String scalar)) {
            throw new SettingException(key + ": in " + file + " (expected: a single value)");
          }
          values.put(String.valueOf(key), scalar);
        });
    return values;
  }
}
