-- Messages of the user: a run may go on after its end.
ALTER TABLE runs ADD COLUMN prompts INTEGER NOT NULL DEFAULT 1;
