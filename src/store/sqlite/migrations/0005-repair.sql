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
