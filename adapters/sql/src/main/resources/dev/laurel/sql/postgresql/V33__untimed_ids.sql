-- As SQLite's V33, which says what it is for.
INSERT INTO meta (name, value)
  SELECT 'ids_unknown_until', (extract(epoch FROM clock_timestamp())::bigint + 3600) * 1000
  WHERE EXISTS (SELECT 1 FROM ids);
