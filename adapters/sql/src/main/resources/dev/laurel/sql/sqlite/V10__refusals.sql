-- What boards refused of streams, until its dead letter is there: a crash in between loses none.
CREATE TABLE source_refusals (
  topic         BLOB    NOT NULL,
  part          INTEGER NOT NULL,
  board         INTEGER NOT NULL,
  record_offset INTEGER NOT NULL,
  code          TEXT    NOT NULL,
  message       TEXT    NOT NULL,
  PRIMARY KEY (topic, part, board, record_offset)
) STRICT, WITHOUT ROWID;
