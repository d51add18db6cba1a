package dev.laurel.sql;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Pods and their schemas. */
final class PodTables {
  private static final String READ =
      "SELECT pod_id, tenant, version_field, version_header, created_at FROM pods ORDER BY pod_id";
  private static final String INSERT =
      "INSERT INTO pods (pod_id, tenant, version_field, version_header, created_at)"
          + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (pod_id) DO NOTHING";
  private static final String UPDATE =
      "UPDATE pods SET version_field = ?, version_header = ? WHERE pod_id = ?";
  private static final String READ_SCHEMAS =
      "SELECT pod_id, version, number, user_path, score_path, time_path, board_path, event_id_path,"
          + " timestamp_format, score_type, status, created_at FROM pod_schemas"
          + " ORDER BY pod_id, number";
  private static final String LAST_NUMBER =
      "SELECT COALESCE(MAX(number), 0) FROM pod_schemas WHERE pod_id = ?";
  private static final String INSERT_SCHEMA =
      "INSERT INTO pod_schemas (pod_id, version, number, user_path, score_path, time_path,"
          + " board_path, event_id_path, timestamp_format, score_type, status, created_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pod_id, version) DO NOTHING";
  private static final String UPDATE_STATUS =
      "UPDATE pod_schemas SET status = ? WHERE pod_id = ? AND version = ?";

  private final Statements statements;
  private final MetaTable meta;

  PodTables(Statements statements, MetaTable meta) {
    this.statements = statements;
    this.meta = meta;
  }

  List<Pod> all() throws SQLException {
    return statements.list(
        row ->
            new Pod(
                row.getString(1),
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5)),
        READ);
  }

  Pod create(Pod pod) throws SQLException {
    meta.nextRevision();
    int inserted =
        statements.update(
            INSERT,
            pod.podId(),
            pod.tenant(),
            pod.versionField(),
            pod.versionHeader(),
            pod.createdAt());
    if (inserted == 0) {
      throw Rejection.expectation(
              ErrorCode.POD_EXISTS, "podId", pod.podId(), "an id that no pod has yet")
          .asException();
    }
    return pod;
  }

  int update(Pod pod) throws SQLException {
    meta.nextRevision();
    return statements.update(UPDATE, pod.versionField(), pod.versionHeader(), pod.podId());
  }

  List<PodSchema> schemas() throws SQLException {
    return statements.list(PodTables::schema, READ_SCHEMAS);
  }

  private static PodSchema schema(ResultSet row) throws SQLException {
    return new PodSchema(
        row.getString(1),
        row.getString(2),
        row.getInt(3),
        new PodSchema.Mappings(
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            row.getString(8)),
        PodSchema.TimestampFormat.valueOf(row.getString(9)),
        PodSchema.ScoreType.valueOf(row.getString(10)),
        PodSchema.Status.valueOf(row.getString(11)),
        row.getLong(12));
  }

  PodSchema create(PodSchema schema) throws SQLException {
    // The revision's row is locked by it: the next number is nobody else's.
    meta.nextRevision();
    int number = (int) statements.number(0, LAST_NUMBER, schema.podId()) + 1;
    PodSchema.Mappings mappings = schema.mappings();
    int inserted =
        statements.update(
            INSERT_SCHEMA,
            schema.podId(),
            schema.version(),
            number,
            mappings.userId(),
            mappings.score(),
            mappings.timestamp(),
            mappings.uuid(),
            mappings.eventId(),
            schema.timestampFormat().name(),
            schema.scoreType().name(),
            schema.status().name(),
            schema.createdAt());
    if (inserted == 0) {
      throw Rejection.expectation(
              ErrorCode.SCHEMA_EXISTS,
              "schemaVersion",
              schema.version(),
              "a version that pod " + schema.podId() + " does not have yet")
          .asException();
    }
    return new PodSchema(
        schema.podId(),
        schema.version(),
        number,
        mappings,
        schema.timestampFormat(),
        schema.scoreType(),
        schema.status(),
        schema.createdAt());
  }

  int update(PodSchema schema) throws SQLException {
    meta.nextRevision();
    int updated =
        statements.update(UPDATE_STATUS, schema.status().name(), schema.podId(), schema.version());
    if (updated == 0) {
      throw new StoreException(
          "schema: %s of pod %s (expected: one that is there)"
              .formatted(schema.version(), schema.podId()));
    }
    return updated;
  }
}
