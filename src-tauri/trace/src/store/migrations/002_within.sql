-- The conversation an event belongs to; NULL: the run's own.
ALTER TABLE events ADD COLUMN within TEXT;
