-- A string that is kept in pieces is one row, not one for each piece: a request of a long conversation has hundreds, and
-- writing them was most of what recording cost.
CREATE TABLE strings (
  run TEXT NOT NULL,
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,            -- JSON pointer of where it is in the event's body
  pieces TEXT NOT NULL,           -- JSON array of ids of payloads, in order
  PRIMARY KEY (run, seq, field),
  FOREIGN KEY (run, seq) REFERENCES events (run, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO strings (run, seq, field, pieces)
  SELECT run, seq, field, json_group_array(payload ORDER BY place) FROM pieces GROUP BY run, seq, field;

DROP TABLE pieces;
