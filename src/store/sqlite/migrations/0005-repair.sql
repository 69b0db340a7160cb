-- Whether the model made a call properly or repair found it in text; null where nobody saw it being made.
ALTER TABLE calls ADD COLUMN origin TEXT;
UPDATE calls SET origin = json_extract(record, '$.facts.origin.value');

-- Upstreams that did not take back a call of ours. Columns are for questions; `record` is the observation.
CREATE TABLE suspensions (
  project TEXT NOT NULL,
  request_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  occurred_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, request_id)
);
CREATE INDEX suspensions_recent ON suspensions (occurred_at);

-- Counted calls per hour by origin: how mended calls came out beside the others.
CREATE TABLE origin_rollups (
  project TEXT NOT NULL,
  hour BIGINT NOT NULL,
  origin TEXT NOT NULL,
  phase TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  soft INTEGER NOT NULL,
  PRIMARY KEY (project, hour, origin, phase)
);
INSERT INTO origin_rollups
SELECT
  project, coalesce(settled_at, first_at) - coalesce(settled_at, first_at) % 3600000,
  CASE WHEN origin = 'recovered' THEN 'recovered' ELSE 'native' END,
  CASE WHEN status = 'failed' THEN coalesce(phase, '') ELSE '' END,
  count(*), sum(status = 'ok'), sum(status = 'failed'), sum(status = 'unknown'), sum(soft)
FROM calls WHERE call_count = 1 GROUP BY 1, 2, 3, 4;
