-- revision: how often final ranks were written anew after a revert; outdated: they have to be.
ALTER TABLE seasons ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seasons ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;
