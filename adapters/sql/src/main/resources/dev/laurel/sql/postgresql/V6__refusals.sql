-- As SQLite's V10, which says what it is for.
CREATE TABLE source_refusals (
  topic         bytea NOT NULL,
  part          integer NOT NULL,
  board         bigint NOT NULL,
  record_offset bigint NOT NULL,
  code          text COLLATE "C" NOT NULL,
  message       text COLLATE "C" NOT NULL,
  PRIMARY KEY (topic, part, board, record_offset)
);
