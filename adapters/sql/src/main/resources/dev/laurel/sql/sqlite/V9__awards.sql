-- Whose tokens tenants accept. jwks_url or jwks: where the keys are, or the keys; one is there.
CREATE TABLE issuers (
  id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  tenant     INTEGER NOT NULL REFERENCES tenants (id),
  issuer     TEXT    NOT NULL,
  audience   TEXT    NOT NULL,
  jwks_url   TEXT,
  jwks       TEXT,
  algorithms TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (issuer, audience)
) STRICT;

-- Points for actions. body: the document as it was signed. The newest version is in force.
CREATE TABLE award_rules (
  tenant     INTEGER NOT NULL REFERENCES tenants (id),
  version    INTEGER NOT NULL,
  body       TEXT    NOT NULL,
  signature  TEXT,
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, version)
) STRICT, WITHOUT ROWID;

-- What is switched off: an action, or all of a tenant's awards where the action is empty.
CREATE TABLE award_switches (
  tenant INTEGER NOT NULL REFERENCES tenants (id),
  action TEXT    NOT NULL,
  PRIMARY KEY (tenant, action)
) STRICT, WITHOUT ROWID;
