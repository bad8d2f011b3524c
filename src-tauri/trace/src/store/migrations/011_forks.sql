-- Steps that a run took over from the one that it was forked off: they are found there.
ALTER TABLE passages ADD COLUMN taken_over INTEGER NOT NULL DEFAULT 0 CHECK (taken_over IN (0, 1));
-- The forks of a run are found without a look at all runs.
CREATE INDEX runs_by_parent ON runs (iif(json_valid(setup), setup ->> '$.forked.run', NULL));
