-- What a person said about runs. Nothing refers to runs here, so that a run that is taken in over another keeps it.
CREATE TABLE notes (
  run TEXT NOT NULL,
  event INTEGER NOT NULL,         -- the number of the event that began the step
  text TEXT NOT NULL,             -- '': a bookmark alone
  bookmark INTEGER NOT NULL CHECK (bookmark IN (0, 1)),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (run, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdicts (
  run TEXT PRIMARY KEY,
  judged TEXT NOT NULL CHECK (judged IN ('pass', 'fail', 'unsure')),
  line TEXT NOT NULL,             -- '': not said
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
