-- Who wants to hear of seasons, and the outbox: what is to be sent is stored by the transaction that
-- it is about, and sent afterwards, so neither is ever without the other.

-- board: the UUID of the only board it is about; NULL for every board of the tenant.
-- The secret is kept as it is: signing needs it, and a hash would not do.
CREATE TABLE webhooks (
  id         INTEGER NOT NULL PRIMARY KEY,
  tenant     INTEGER NOT NULL REFERENCES tenants (id),
  url        TEXT    NOT NULL,
  secret     TEXT    NOT NULL,
  events     TEXT    NOT NULL,
  board      TEXT,
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_tenant ON webhooks (tenant);

-- id: random, so that a restored backup does not give one again that a receiver has seen.
-- next_at: when it is tried next; once it is DELIVERED or FAILED, when it is forgotten.
-- tries: since it was made or last asked for again.
CREATE TABLE deliveries (
  id         TEXT    NOT NULL PRIMARY KEY,
  tenant     INTEGER NOT NULL,
  webhook    INTEGER NOT NULL,
  event      TEXT    NOT NULL,
  payload    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  state      TEXT    NOT NULL,
  next_at    INTEGER NOT NULL,
  tries      INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_by_next ON deliveries (state, next_at);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, created_at);

-- status: what the receiver answered; NULL if there was no answer, for the reason in error.
CREATE TABLE delivery_attempts (
  delivery TEXT    NOT NULL,
  number   INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  millis   INTEGER NOT NULL,
  status   INTEGER,
  error    TEXT,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;
