package dev.laurel.core.pod;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Names;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes and changes pods and their schemas. Blocking. Thread-safe. */
public final class Pods {
  public static final int MAX_ID = 64;
  private static final int MAX_VERSION = 32;
  private static final String TOPIC_START = "pod-";
  private static final String TOPIC_END = "-score-updates";

  private final Store store;
  private final PodDirectory directory;
  private final TopicMaker topics;
  private final InstantSource clock;

  public Pods(Store store, PodDirectory directory, TopicMaker topics, InstantSource clock) {
    this.store = store;
    this.directory = directory;
    this.topics = topics;
    this.clock = clock;
  }

  /** The same pods, in memory. */
  public PodDirectory directory() {
    return directory;
  }

  /** Where a pod's events are. */
  public static String topic(String podId) {
    return TOPIC_START + podId + TOPIC_END;
  }

  /** The pod whose events a topic of this name has; null if it is no pod's topic. */
  public static @Nullable String podOf(String topic) {
    boolean ok =
        topic.length() > TOPIC_START.length() + TOPIC_END.length()
            && topic.startsWith(TOPIC_START)
            && topic.endsWith(TOPIC_END);
    return ok ? topic.substring(TOPIC_START.length(), topic.length() - TOPIC_END.length()) : null;
  }

  /** Takes over what others changed. */
  public void follow() {
    store.read(
        tx -> {
          directory.follow(tx);
          return true;
        });
  }

  /**
   * @param pod its time is not looked at
   */
  public OnceOnly.Answer create(Pod pod, OnceOnly.@Nullable Key key, Function<Pod, byte[]> answer) {
    check(pod);
    // Before the pod, so that nothing can fail after it; a topic without a pod is not read.
    topics.ensure(topic(pod.podId()));
    Pod made =
        new Pod(pod.podId(), pod.tenant(), pod.versionField(), pod.versionHeader(), clock.millis());
    return write(key, tx -> answer.apply(tx.createPod(made)));
  }

  /** Where an event names its schema's version: in one of the two, or in neither. */
  public record VersionPlace(@Nullable String field, @Nullable String header) {}

  /**
   * Events that come from then on are read so.
   *
   * @param place null leaves it as it is
   */
  public OnceOnly.Answer change(
      long tenant,
      String podId,
      @Nullable VersionPlace place,
      OnceOnly.@Nullable Key key,
      Function<Pod, byte[]> answer) {
    return write(
        key,
        tx -> {
          tx.lockShard(0);
          Pod pod = require(tx, tenant, podId);
          Pod next =
              place == null
                  ? pod
                  : new Pod(podId, tenant, place.field, place.header, pod.createdAt());
          if (!next.equals(pod)) {
            check(next);
            tx.updatePod(next);
          }
          return answer.apply(next);
        });
  }

  private static void check(Pod pod) {
    Names.require("podId", pod.podId(), MAX_ID);
    String field = pod.versionField();
    if (field != null && FieldPath.parse(field) == null) {
      throw Rejection.invalid("versionField", field, FieldPath.EXPECTED).asException();
    }
    String header = pod.versionHeader();
    if (header != null && (header.isBlank() || !UserIds.isValid(header))) {
      throw Rejection.invalid("versionHeader", header, UserIds.EXPECTED).asException();
    }
    if (field != null && header != null) {
      throw Rejection.invalid("versionHeader", "beside versionField", "one of the two")
          .asException();
    }
  }

  /**
   * @param schema its number and time are not looked at
   */
  public OnceOnly.Answer addSchema(
      long tenant,
      PodSchema schema,
      OnceOnly.@Nullable Key key,
      Function<PodSchema, byte[]> answer) {
    requireVersion(schema.version());
    PodSchema made =
        new PodSchema(
            schema.podId(),
            schema.version(),
            0,
            schema.mappings(),
            schema.timestampFormat(),
            schema.scoreType(),
            schema.status(),
            clock.millis());
    SchemaReader checked = new SchemaReader(made);
    return write(
        key,
        tx -> {
          require(tx, tenant, schema.podId());
          return answer.apply(tx.createSchema(checked.schema()));
        });
  }

  public static void requireVersion(String version) {
    Names.require("schemaVersion", version, MAX_VERSION);
  }

  public OnceOnly.Answer changeStatus(
      long tenant,
      String podId,
      String version,
      PodSchema.Status status,
      OnceOnly.@Nullable Key key,
      Function<PodSchema, byte[]> answer) {
    return write(
        key,
        tx -> {
          // One at a time, so that the look and the write are about the same status.
          tx.lockShard(0);
          PodSchema schema = require(tx, tenant, podId, version);
          if (schema.status() != status) {
            if (!schema.status().mayBecome(status)) {
              throw Rejection.of(
                      ErrorCode.ILLEGAL_STATUS_CHANGE,
                      "status: %s (expected: what may follow %s)"
                          .formatted(status, schema.status()),
                      Map.of("status", schema.status().name()))
                  .asException();
            }
            tx.updateSchema(schema.with(status));
          }
          return answer.apply(schema.with(status));
        });
  }

  private OnceOnly.Answer write(
      OnceOnly.@Nullable Key key, Store.Work<WriteTransaction, byte[]> work) {
    OnceOnly.Answer answer = OnceOnly.run(store, key, clock.millis(), work);
    follow();
    return answer;
  }

  public List<Pod> list(long tenant) {
    return store.read(tx -> tx.pods().stream().filter(p -> p.tenant() == tenant).toList());
  }

  public List<PodSchema> schemas(long tenant, String podId) {
    return store.read(
        tx -> {
          require(tx, tenant, podId);
          return tx.schemas().stream().filter(s -> s.podId().equals(podId)).toList();
        });
  }

  public PodSchema schema(long tenant, String podId, String version) {
    return store.read(tx -> require(tx, tenant, podId, version));
  }

  /** A pod of this tenant; one of another does not exist. */
  public Pod require(long tenant, String podId) {
    return store.read(tx -> require(tx, tenant, podId));
  }

  private static Pod require(ReadTransaction tx, long tenant, String podId) {
    for (Pod pod : tx.pods()) {
      if (pod.podId().equals(podId) && pod.tenant() == tenant) {
        return pod;
      }
    }
    throw Rejection.expectation(ErrorCode.POD_NOT_FOUND, "podId", podId, "a pod of this tenant")
        .asException();
  }

  private static PodSchema require(ReadTransaction tx, long tenant, String podId, String version) {
    require(tx, tenant, podId);
    for (PodSchema schema : tx.schemas()) {
      if (schema.podId().equals(podId) && schema.version().equals(version)) {
        return schema;
      }
    }
    throw PodDirectory.notFound(version, "a version of pod " + podId).asException();
  }
}
