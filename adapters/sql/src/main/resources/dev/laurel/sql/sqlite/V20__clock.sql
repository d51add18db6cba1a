-- What nodes make of the clock that seasons change by: what it says (claimed), and what it should say (trusted).
-- The two differ while it is in doubt. A node that starts then is in doubt as well.
CREATE TABLE clock_views (
  node      INTEGER NOT NULL PRIMARY KEY,
  since     INTEGER NOT NULL,
  claimed   INTEGER NOT NULL,
  trusted   INTEGER NOT NULL,
  objects   INTEGER NOT NULL,
  confirmed INTEGER NOT NULL
) STRICT;
