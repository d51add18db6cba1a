-- What a board's guard looks at, and the lines that it caught.
CREATE TABLE board_guards (
  board     BIGINT NOT NULL,
  number    BIGINT NOT NULL,
  rule      TEXT    NOT NULL,
  threshold DOUBLE PRECISION NOT NULL,
  action    TEXT    NOT NULL,
  PRIMARY KEY (board, number)
);

CREATE TABLE anomalies (
  board       BIGINT NOT NULL,
  line        BIGINT NOT NULL,
  user_number BIGINT NOT NULL,
  rule        TEXT    NOT NULL,
  value       DOUBLE PRECISION NOT NULL,
  threshold   DOUBLE PRECISION NOT NULL,
  action      TEXT    NOT NULL,
  state       TEXT    NOT NULL,
  caught_at   BIGINT NOT NULL,
  reviewer    BIGINT NOT NULL,
  reviewed_at BIGINT NOT NULL,
  PRIMARY KEY (board, line)
);

-- The review queue.
CREATE INDEX anomalies_open ON anomalies (board, line) WHERE state = 'OPEN';
