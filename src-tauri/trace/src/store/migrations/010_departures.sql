-- How many calls did something else than the model asked for: JSON.
ALTER TABLE runs ADD COLUMN departures TEXT NOT NULL DEFAULT '{"denied":0,"stubbed":0,"edited":0}';

-- A call that asked several times departs as it was decided last. What cannot be read says nothing.
WITH given AS (
  SELECT run, within, seq,
         iif(json_valid(body), body ->> '$.callId', NULL) AS call,
         iif(json_valid(body), body ->> '$.decision.type', NULL) AS how,
         iif(json_valid(body), body ->> '$.decision.arguments', NULL) AS arguments
  FROM events WHERE type IN ('approvalGiven', 'remembered')
),
decided AS (
  SELECT run, how, arguments,
         row_number() OVER (PARTITION BY run, within, call ORDER BY seq DESC) AS place
  FROM given
),
counted AS (
  SELECT run, sum(how = 'deny') AS denied, sum(how = 'stub') AS stubbed,
         sum(how = 'allow' AND arguments IS NOT NULL) AS edited
  FROM decided WHERE place = 1 AND how IS NOT NULL GROUP BY run
)
UPDATE runs SET departures = json_object('denied', denied, 'stubbed', stubbed, 'edited', edited)
FROM counted WHERE counted.run = runs.id;
