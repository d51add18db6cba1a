package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.StoreException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods, their schemas, and how far streams were taken. */
interface PodCases extends StoreCases {
  @Test
  default void createPod_everyField_comesBackWithANewRevision() {
    long before = revision();
    Pod byField = new Pod("pod-2", 1, "meta.version", null, 5);
    Pod byHeader = new Pod("pod-1", 1, null, "schema-version", 6);
    write(
        tx -> {
          tx.createPod(byField);
          tx.createPod(byHeader);
        });
    List<Pod> pods = store().read(tx -> tx.pods());
    assertThat(pods).containsExactly(byHeader, byField);
    assertThat(revision()).isGreaterThan(before);
    assertThatThrownBy(() -> store().write(tx -> tx.createPod(new Pod("pod-1", 1, null, null, 7))))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.POD_EXISTS));
  }

  @Test
  default void createSchema_severalVersions_areNumberedInTheirPod() {
    write(
        tx -> {
          tx.createPod(new Pod("a", 1, null, null, 1));
          tx.createPod(new Pod("b", 1, null, null, 1));
          tx.createSchema(schema("b", "1.0", "event.id"));
          tx.createSchema(schema("a", "2.0", null));
          tx.createSchema(schema("a", "1.0", "id"));
        });
    List<PodSchema> schemas = store().read(tx -> tx.schemas());
    assertThat(schemas).extracting(PodSchema::version).containsExactly("2.0", "1.0", "1.0");
    assertThat(schemas).extracting(PodSchema::number).containsExactly(1, 2, 1);
    assertThat(schemas.getLast())
        .usingRecursiveComparison()
        .ignoringFields("number")
        .isEqualTo(schema("b", "1.0", "event.id"));
    assertThatThrownBy(() -> store().write(tx -> tx.createSchema(schema("a", "1.0", null))))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.SCHEMA_EXISTS));
  }

  @Test
  default void updateSchema_status_isReplacedWithANewRevision() {
    write(
        tx -> {
          tx.createPod(new Pod("a", 1, null, null, 1));
          tx.createSchema(schema("a", "1", null));
        });
    long before = revision();
    write(tx -> tx.updateSchema(schema("a", "1", null).with(PodSchema.Status.DEPRECATED)));
    List<PodSchema> schemas = store().read(tx -> tx.schemas());
    assertThat(schemas).extracting(PodSchema::status).containsExactly(PodSchema.Status.DEPRECATED);
    assertThat(revision()).isGreaterThan(before);
    assertThatThrownBy(() -> write(tx -> tx.updateSchema(schema("a", "2", null))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  default void moveOffsets_anyOrder_neverGoBack() {
    SourcePartition one = new SourcePartition(1, new Digest(-1, 2), 0);
    SourcePartition settled = new SourcePartition(0, new Digest(-1, 2), 0);
    SourcePartition remade = new SourcePartition(1, new Digest(-1, 3), 0);
    SourcePartition other = new SourcePartition(1, new Digest(-1, 2), 7);
    List<SourcePartition> all = List.of(one, settled, remade, other);
    write(tx -> tx.moveOffsets(Map.of(one, 5L, other, 0L)));
    write(tx -> tx.moveOffsets(Map.of(one, 4L, settled, Long.MAX_VALUE)));
    write(tx -> tx.moveOffsets(Map.of()));
    Map<SourcePartition, Long> found = store().read(tx -> tx.offsets(all));
    assertThat(found).isEqualTo(Map.of(one, 5L, other, 0L, settled, Long.MAX_VALUE));
    write(tx -> tx.moveOffsets(Map.of(one, 6L)));
    Map<SourcePartition, Long> moved = store().read(tx -> tx.offsets(List.of(one)));
    assertThat(moved).isEqualTo(Map.of(one, 6L));
  }

  private static PodSchema schema(String pod, String version, @Nullable String eventId) {
    return new PodSchema(
        pod,
        version,
        0,
        new PodSchema.Mappings("user.id", "items[0].score", "at", "board", eventId),
        PodSchema.TimestampFormat.EPOCH_SECONDS,
        PodSchema.ScoreType.DOUBLE,
        PodSchema.Status.ACTIVE,
        9);
  }
}
