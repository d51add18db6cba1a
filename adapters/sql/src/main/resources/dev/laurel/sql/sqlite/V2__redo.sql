-- Entries that were committed and are not in the entries table yet, one row a commit. A commit that
-- updates random users would write a page for every one of them; this is one short run of pages,
-- and the entries table takes many commits' worth at once, in key order. See DeferredEntries.
CREATE TABLE redo (
  id      INTEGER NOT NULL PRIMARY KEY,
  entries BLOB    NOT NULL
) STRICT;
