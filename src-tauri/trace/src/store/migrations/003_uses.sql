-- What a model's runs that came to their answer used of the skills whose instructions reached it.
CREATE TABLE uses (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  skill TEXT NOT NULL,            -- as calls name it
  folder TEXT,                    -- NULL where the run did not record it
  kind TEXT NOT NULL CHECK (kind IN ('instructions', 'resource', 'script')),
  file TEXT NOT NULL,             -- in the skill's folder; '' for instructions
  PRIMARY KEY (run, skill, kind, file)
) STRICT, WITHOUT ROWID;

-- All that counting them needs.
CREATE INDEX uses_by_folder ON uses (folder, kind, file, run);

-- Runs that were recorded before: calls that disclosed something and were answered as they stand.
INSERT INTO uses (run, skill, folder, kind, file)
SELECT DISTINCT called.run, called.body ->> '$.disclosure.skill', NULL, called.body ->> '$.disclosure.type',
       coalesce(called.body ->> '$.disclosure.resource', called.body ->> '$.disclosure.script', '')
FROM runs JOIN events AS called ON called.run = runs.id AND called.type = 'called'
WHERE runs.status = 'done' AND runs.bundled = 0 AND runs.setup ->> '$.rehearsal' = 0
  AND called.body ->> '$.disclosure.type' IN ('instructions', 'resource', 'script')
  AND EXISTS (
    SELECT 1 FROM events AS replied
    WHERE replied.run = called.run AND replied.type = 'replied' AND replied.seq > called.seq
      AND replied.within IS called.within AND replied.body ->> '$.callId' = called.body ->> '$.call.id'
      AND replied.body ->> '$.isError' = 0)
  AND NOT EXISTS (
    SELECT 1 FROM events AS decided
    WHERE decided.run = called.run AND decided.type = 'approvalGiven' AND decided.seq > called.seq
      AND decided.within IS called.within AND decided.body ->> '$.callId' = called.body ->> '$.call.id'
      AND decided.body ->> '$.decision.type' IN ('deny', 'stub'));

DELETE FROM uses WHERE NOT EXISTS (
  SELECT 1 FROM uses AS taught
  WHERE taught.run = uses.run AND taught.skill = uses.skill AND taught.kind = 'instructions');
