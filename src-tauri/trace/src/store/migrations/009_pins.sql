-- Runs that are kept whatever the settings say. Nothing refers to runs here, as with what is said about them.
CREATE TABLE pins (
  run TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- When a run came here, so that one which is imported is not as old as its file says.
ALTER TABLE runs ADD COLUMN stored_at INTEGER NOT NULL DEFAULT 0;

-- When earlier imports came is not known.
UPDATE runs SET stored_at = unixepoch() * 1000
WHERE iif(json_valid(setup), setup ->> '$.imported', NULL) IS NOT NULL;
