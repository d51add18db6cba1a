-- As SQLite's V15, which says what it is for.
CREATE TABLE allowed_origins (
  tenant bigint NOT NULL REFERENCES tenants (id),
  origin text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, origin)
);
