-- What a board's guard looks at, and the lines that it caught.
CREATE TABLE board_guards (
  board     INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  rule      TEXT    NOT NULL,
  threshold REAL    NOT NULL,
  action    TEXT    NOT NULL,
  PRIMARY KEY (board, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE anomalies (
  board       INTEGER NOT NULL,
  line        INTEGER NOT NULL,
  user_number INTEGER NOT NULL,
  rule        TEXT    NOT NULL,
  value       REAL    NOT NULL,
  threshold   REAL    NOT NULL,
  action      TEXT    NOT NULL,
  state       TEXT    NOT NULL,
  caught_at   INTEGER NOT NULL,
  reviewer    INTEGER NOT NULL,
  reviewed_at INTEGER NOT NULL,
  PRIMARY KEY (board, line)
) STRICT, WITHOUT ROWID;

-- The review queue.
CREATE INDEX anomalies_open ON anomalies (board, line) WHERE state = 'OPEN';
