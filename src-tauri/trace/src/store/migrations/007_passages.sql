-- What is looked through in recorded runs: a row for each step of a run that has ended. It is made of the events later, when
-- somebody looks for something, so recording writes none of it.
CREATE TABLE indexed (
  run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  ended_at INTEGER NOT NULL,      -- as the run had it; one that went on since is indexed again
  made INTEGER NOT NULL,          -- the version of what makes the rows
  next INTEGER NOT NULL,          -- the number of the step that comes next
  done INTEGER NOT NULL CHECK (done IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  tool TEXT NOT NULL,             -- '' where there is none
  skill TEXT NOT NULL,
  took INTEGER,                   -- milliseconds
  cost INTEGER,                   -- millionths of a US dollar
  tokens INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX passages_by_run ON passages (run, step);

-- Every three characters, so that words are found in languages that put no spaces between them. It only says which passages
-- may match; their texts are compared then.
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, detail = none,
                                       tokenize = 'trigram case_sensitive 1');

CREATE TRIGGER passages_gone AFTER DELETE ON passages BEGIN
  DELETE FROM words WHERE rowid = old.id;
END;
