package dev.laurel.server.settings;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of one run, by their {@link Settings}. Immutable. */
public final class Configuration {
  private final Map<Setting<?>, Object> values;
  private final Map<String, String> kafka;

  /**
   * @param kafka properties that are handed to Kafka's clients, by their names there
   */
  Configuration(Map<Setting<?>, Object> values, Map<String, String> kafka) {
    this.values = Map.copyOf(values);
    this.kafka = Map.copyOf(kafka);
  }

  public Map<String, String> kafka() {
    return kafka;
  }

  /** The value of a setting that has a default. */
  public <T> T get(Setting<T> setting) {
    T value = find(setting);
    if (value == null) {
      throw new SettingException(
          "%s: missing (expected: %s, by %s or %s)"
              .formatted(setting.name(), setting.expected(), setting.option(), setting.env()));
    }
    return value;
  }

  /** What the server itself takes of the heap, whatever it serves. */
  private static final long OWN_BYTES = 48L << 20;

  /**
   * What a setting in megabytes says, in bytes.
   *
   * @param share the part of the heap that it is by itself, of what the server leaves: 8 for an
   *     eighth
   */
  public long bytes(Setting<Integer> megabytes, int share) {
    int asked = get(megabytes);
    long heap = Runtime.getRuntime().maxMemory();
    return asked == 0 ? Math.max(heap / 4, heap - OWN_BYTES) / share : asked * 1_048_576L;
  }

  /** The heap, in megabytes, of which such a share is so many bytes. */
  public static long heapMegabytes(long bytes, int share) {
    return Math.ceilDiv(OWN_BYTES + share * bytes, 1_048_576L);
  }

  @SuppressWarnings("unchecked") // SettingsReader stores what the setting's own parser returned
  public <T> @Nullable T find(Setting<T> setting) {
    return (T) values.get(setting);
  }

  /** The same with one value replaced, as if it had been given on the command line. */
  public <T> Configuration with(Setting<T> setting, String text) {
    Map<Setting<?>, Object> changed = new HashMap<>(values);
    changed.put(setting, setting.parse(text, "code"));
    return new Configuration(changed, kafka);
  }

  /** The defaults alone. */
  public static Configuration defaults() {
    Map<Setting<?>, Object> values = new HashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      if (setting.defaultText() != null) {
        values.put(setting, setting.parse(setting.defaultText(), "its default"));
      }
    }
    return new Configuration(values, Map.of());
  }
}
