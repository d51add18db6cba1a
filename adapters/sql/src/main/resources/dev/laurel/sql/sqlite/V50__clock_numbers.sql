-- Views of the clock are numbered as they are written: after a jump no time says which of them is later.
ALTER TABLE clock_views ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
