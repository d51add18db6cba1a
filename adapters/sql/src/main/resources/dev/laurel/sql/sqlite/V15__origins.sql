-- Whose pages may read a tenant's answers (CORS): scheme://host:port as browsers send it, or *.
CREATE TABLE allowed_origins (
  tenant INTEGER NOT NULL REFERENCES tenants (id),
  origin TEXT    NOT NULL,
  PRIMARY KEY (tenant, origin)
) STRICT, WITHOUT ROWID;
