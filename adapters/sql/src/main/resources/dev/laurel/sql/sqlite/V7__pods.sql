-- Producers with event schemas of their own, and how far streams were taken.

-- version_field, version_header: what names an event's schema version; at most one is there.
CREATE TABLE pods (
  pod_id         TEXT    NOT NULL PRIMARY KEY,
  tenant         INTEGER NOT NULL REFERENCES tenants (id),
  version_field  TEXT,
  version_header TEXT,
  created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- number: in the order in which the pod's versions were made, from 1.
-- *_path: where the event has the field of the common event.
CREATE TABLE pod_schemas (
  pod_id           TEXT    NOT NULL REFERENCES pods (pod_id),
  version          TEXT    NOT NULL,
  number           INTEGER NOT NULL,
  user_path        TEXT    NOT NULL,
  score_path       TEXT    NOT NULL,
  time_path        TEXT    NOT NULL,
  board_path       TEXT    NOT NULL,
  event_id_path    TEXT,
  timestamp_format TEXT    NOT NULL,
  score_type       TEXT    NOT NULL,
  status           TEXT    NOT NULL,
  created_at       INTEGER NOT NULL,
  PRIMARY KEY (pod_id, version)
) STRICT, WITHOUT ROWID;

-- The last offset that a board took of a partition, moved with the scores; board 0: up to where
-- everything is committed or a dead letter. topic: Kafka's id of it, 16 bytes.
CREATE TABLE kafka_offsets (
  board       INTEGER NOT NULL,
  topic       BLOB    NOT NULL,
  part        INTEGER NOT NULL,
  last_offset INTEGER NOT NULL,
  PRIMARY KEY (board, topic, part)
) STRICT, WITHOUT ROWID;
