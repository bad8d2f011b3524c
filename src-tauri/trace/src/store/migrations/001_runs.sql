-- Marks the file as a trace store ("SWTR").
PRAGMA application_id = 1398232146;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  setup TEXT NOT NULL,            -- JSON
  status TEXT NOT NULL,
  error TEXT,
  started_at INTEGER NOT NULL,    -- milliseconds since the epoch
  ended_at INTEGER,
  steps INTEGER NOT NULL,
  context_tokens INTEGER NOT NULL,
  bundled INTEGER NOT NULL CHECK (bundled IN (0, 1)),
  writer TEXT                     -- who records it; NULL once it has ended
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_start ON runs (started_at);

CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,             -- JSON, long strings left empty
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- Pieces of long strings, each kept once.
CREATE TABLE payloads (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,      -- SHA-256 of the text
  text TEXT NOT NULL
) STRICT;

-- Which pieces, in order, make up the string at a JSON pointer of an event's body.
CREATE TABLE pieces (
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  place INTEGER NOT NULL,
  payload INTEGER NOT NULL REFERENCES payloads (id),
  PRIMARY KEY (run, seq, field, place),
  FOREIGN KEY (run, seq) REFERENCES events (run, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX pieces_by_payload ON pieces (payload);
