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

  private static final String KAFKA_KEY = "kafka.";
  private static final String KAFKA_ENV = "LAUREL_KAFKA_";

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
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      Found found = find(setting, options, fromFile, fileSource);
      if (found != null) {
        values.put(setting, setting.parse(found.text(), found.source()));
      }
    }
    return new Configuration(values, kafka(fromFile));
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
    return setting.defaultText() == null ? null : new Found(setting.defaultText(), "its default");
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
