package dev.laurel.core.pod;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every pod with its schemas, in memory, as the store had them at one revision. Reads never block;
 * it moves forward only by {@link #follow}. Thread-safe.
 */
public final class PodDirectory implements RememberedStore.Part {
  private volatile State state = new State(0, -1, Map.of());

  private record State(long epoch, long revision, Map<String, Entry> pods) {}

  private record Entry(Pod pod, List<SchemaReader> readers) {}

  /** Takes over what changed; there are few pods, so all are read again. */
  public void follow(ReadTransaction tx) {
    long revision = tx.revision();
    long epoch = tx.epoch();
    if (revision == state.revision && epoch == state.epoch) {
      return;
    }
    Map<String, List<SchemaReader>> readers = new HashMap<>();
    for (PodSchema schema : tx.schemas()) {
      if (schema.status().reads()) {
        readers
            .computeIfAbsent(schema.podId(), p -> new ArrayList<>())
            .add(new SchemaReader(schema));
      }
    }
    Map<String, Entry> pods = new HashMap<>();
    for (Pod pod : tx.pods()) {
      List<SchemaReader> own = readers.getOrDefault(pod.podId(), new ArrayList<>());
      own.sort(NEWEST_ACTIVE_FIRST);
      pods.put(pod.podId(), new Entry(pod, List.copyOf(own)));
    }
    synchronized (this) {
      if (epoch != state.epoch || revision > state.revision) {
        state = new State(epoch, revision, Map.copyOf(pods));
      }
    }
  }

  @Override
  public void enter(ReadTransaction tx) {
    follow(tx);
  }

  private static final Comparator<SchemaReader> NEWEST_ACTIVE_FIRST =
      Comparator.comparing((SchemaReader r) -> r.schema().status())
          .thenComparing(r -> r.schema().number(), Comparator.reverseOrder());

  public @Nullable Pod find(String podId) {
    Entry entry = state.pods.get(podId);
    return entry == null ? null : entry.pod;
  }

  /** The pods whose events can be read: a pod is made first, and its schema follows. */
  public Collection<Pod> readable() {
    return state.pods.values().stream()
        .filter(entry -> !entry.readers.isEmpty())
        .map(Entry::pod)
        .toList();
  }

  /**
   * Reads an event as its pod's schemas say: by the version that it names, else by the newest one
   * in use in which nothing is missing.
   *
   * @param event a tree of JSON: Map, List, String, BigDecimal, Boolean, null
   * @param headers the event's header of a name; null if it has none
   */
  public Transformed transform(
      String podId,
      Map<String, @Nullable Object> event,
      Function<String, @Nullable String> headers) {
    Entry entry = state.pods.get(podId);
    if (entry == null) {
      return failed(
          Rejection.expectation(ErrorCode.POD_NOT_FOUND, "podId", podId, "a registered pod"));
    }
    String version = version(entry.pod, event, headers);
    if (version != null) {
      for (SchemaReader reader : entry.readers) {
        if (reader.schema().version().equals(version)) {
          return reader.read(event);
        }
      }
      return failed(notFound(version, "a version of pod " + podId + " that is in use"));
    }
    if (entry.readers.isEmpty()) {
      return failed(notFound("none", "pod " + podId + " to have an active schema"));
    }
    // First the versions that are its own to the last field; an id may be missing.
    for (SchemaReader reader : entry.readers) {
      if (reader.fitsWithId(event)) {
        return reader.read(event);
      }
    }
    for (SchemaReader reader : entry.readers) {
      if (reader.fits(event)) {
        return reader.read(event);
      }
    }
    return entry.readers.getFirst().read(event);
  }

  /** By one schema, whatever its status. */
  public static Transformed transform(PodSchema schema, Map<String, @Nullable Object> event) {
    return new SchemaReader(schema).read(event);
  }

  private static @Nullable String version(
      Pod pod, Map<String, @Nullable Object> event, Function<String, @Nullable String> headers) {
    String header = pod.versionHeader();
    if (header != null) {
      return headers.apply(header);
    }
    String field = pod.versionField();
    FieldPath path = field == null ? null : FieldPath.parse(field);
    Object value = path == null ? null : path.find(event);
    return switch (value) {
      case null -> null;
      // 1.0 is the version "1.0", also where somebody left the quotes out.
      case BigDecimal number -> number.toString();
      default -> value.toString();
    };
  }

  static Rejection notFound(String version, String expected) {
    return Rejection.expectation(ErrorCode.SCHEMA_NOT_FOUND, "schemaVersion", version, expected);
  }

  private static Transformed failed(Rejection rejection) {
    return new Transformed.Failed(List.of(rejection), null);
  }
}
