-- The index from a payload to its pieces goes, and with it the reference that needs one: it was a third of what recording
-- wrote, and only deleting asked it.
CREATE TABLE kept (
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  place INTEGER NOT NULL,
  payload INTEGER NOT NULL,       -- an id of payloads
  PRIMARY KEY (run, seq, field, place),
  FOREIGN KEY (run, seq) REFERENCES events (run, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO kept (run, seq, field, place, payload) SELECT run, seq, field, place, payload FROM pieces;

DROP TABLE pieces;

ALTER TABLE kept RENAME TO pieces;
