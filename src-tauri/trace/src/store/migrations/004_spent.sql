-- What the answers of a run cost: JSON.
ALTER TABLE runs ADD COLUMN spent TEXT NOT NULL
  DEFAULT '{"input":0,"output":0,"cached":0,"cacheWritten":0,"cost":null,"estimated":false}';

-- Runs that were recorded before kept no prices. What no provider counted is as it was estimated then.
UPDATE runs SET spent = (
  SELECT json_object(
    'input', coalesce(sum(coalesce(answered.body ->> '$.usage.input', requested.body ->> '$.tokens', 0)), 0),
    'output', coalesce(sum(coalesce(answered.body ->> '$.usage.output', answered.body ->> '$.tokens', 0)), 0),
    'cached', coalesce(sum(answered.body ->> '$.usage.cached'), 0),
    'cacheWritten', coalesce(sum(answered.body ->> '$.usage.cacheWritten'), 0),
    'cost', NULL,
    'estimated', json(iif(coalesce(max(answered.body ->> '$.usage' IS NULL), 0), 'true', 'false')))
  FROM events AS answered
  LEFT JOIN events AS requested
    ON requested.run = answered.run AND requested.type = 'requested' AND requested.seq < answered.seq
    AND requested.within IS answered.within AND requested.body ->> '$.turn' = answered.body ->> '$.turn'
  WHERE answered.run = runs.id AND answered.type = 'answered');
