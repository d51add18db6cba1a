-- As SQLite's V7, which says what they are for.
CREATE TABLE pods (
  pod_id         text COLLATE "C" NOT NULL PRIMARY KEY,
  tenant         bigint NOT NULL REFERENCES tenants (id),
  version_field  text COLLATE "C",
  version_header text COLLATE "C",
  created_at     bigint NOT NULL
);

CREATE TABLE pod_schemas (
  pod_id           text COLLATE "C" NOT NULL REFERENCES pods (pod_id),
  version          text COLLATE "C" NOT NULL,
  number           integer NOT NULL,
  user_path        text COLLATE "C" NOT NULL,
  score_path       text COLLATE "C" NOT NULL,
  time_path        text COLLATE "C" NOT NULL,
  board_path       text COLLATE "C" NOT NULL,
  event_id_path    text COLLATE "C",
  timestamp_format text COLLATE "C" NOT NULL,
  score_type       text COLLATE "C" NOT NULL,
  status           text COLLATE "C" NOT NULL,
  created_at       bigint NOT NULL,
  PRIMARY KEY (pod_id, version)
);

CREATE TABLE kafka_offsets (
  board       bigint NOT NULL,
  topic       bytea NOT NULL,
  part        integer NOT NULL,
  last_offset bigint NOT NULL,
  PRIMARY KEY (board, topic, part)
);
