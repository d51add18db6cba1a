-- As SQLite's V20, which says what it is for.
CREATE TABLE clock_views (
  node      bigint NOT NULL PRIMARY KEY,
  since     bigint NOT NULL,
  claimed   bigint NOT NULL,
  trusted   bigint NOT NULL,
  objects   integer NOT NULL,
  confirmed bigint NOT NULL
);
