-- The same tables and views as in SQLite. What belongs to a session is partitioned by a hash of its id, the column by which a cluster would
-- distribute: so the id is part of every key. Nothing refers to another table: batches of many writers arrive in any order.
-- Texts compare by bytes ("C"), whatever the database's own order is.

-- One row per call, whichever channels saw it. Columns are for questions; `record` is what merge works on.
CREATE TABLE calls (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C" NOT NULL,
  tool_call_id TEXT COLLATE "C" NOT NULL,
  occurrence INTEGER NOT NULL,
  record_id TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  model_name TEXT COLLATE "C",
  tool_name TEXT COLLATE "C" NOT NULL,
  origin TEXT COLLATE "C",
  client TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  phase TEXT COLLATE "C",
  category TEXT COLLATE "C",
  severity DOUBLE PRECISION,
  soft INTEGER NOT NULL,
  status_message TEXT,
  execution_time_ms DOUBLE PRECISION,
  turnaround_ms DOUBLE PRECISION,
  input_size_bytes DOUBLE PRECISION NOT NULL,
  output_size_bytes DOUBLE PRECISION,
  first_at BIGINT NOT NULL,
  settled_at BIGINT,
  wire_result TEXT COLLATE "C",
  made_here INTEGER NOT NULL,
  made_at BIGINT,
  conversation TEXT COLLATE "C",
  in_history INTEGER NOT NULL,
  inherited_from TEXT,
  call_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  thread_order DOUBLE PRECISION NOT NULL,
  turn TEXT COLLATE "C",
  turn_index DOUBLE PRECISION NOT NULL,
  prompt TEXT COLLATE "C",
  workflow TEXT COLLATE "C",
  fingerprint TEXT COLLATE "C",
  position INTEGER,
  preceding_tool TEXT COLLATE "C",
  preceding_success INTEGER,
  is_cascade_failure INTEGER,
  retry_of TEXT COLLATE "C",
  retry_count INTEGER,
  recovered_by TEXT COLLATE "C",
  cascade_of TEXT COLLATE "C",
  cascade_rule TEXT COLLATE "C",
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, agent_id, tool_call_id, occurrence)
) PARTITION BY HASH (session_id);
CREATE INDEX calls_twins ON calls (project, tool_call_id, wire_result, made_here, first_at);
CREATE INDEX calls_pending ON calls (project, first_at) WHERE status = 'pending';
-- The order of a thread: links look a bounded number of calls back along it.
CREATE INDEX calls_chain ON calls (project, session_id, agent_id, first_at, thread_order, turn_index, record_id)
  WHERE call_count = 1;
CREATE INDEX calls_prompt ON calls (project, session_id, prompt) WHERE prompt IS NOT NULL;

CREATE TABLE sessions (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  started_at TEXT COLLATE "C" NOT NULL,
  last_at BIGINT NOT NULL,
  client TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  model_used TEXT COLLATE "C",
  requests BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  recovered BIGINT NOT NULL,
  follow_on BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  unrecovered BIGINT NOT NULL,
  excused BIGINT NOT NULL,
  trace_id TEXT COLLATE "C",
  success_rate DOUBLE PRECISION,
  health TEXT COLLATE "C" NOT NULL,
  rate_health TEXT COLLATE "C" NOT NULL,
  dominant_failure_mode TEXT COLLATE "C",
  worst_severity DOUBLE PRECISION NOT NULL,
  stopped_at BIGINT,
  ended_at BIGINT,
  scored_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id)
) PARTITION BY HASH (session_id);
CREATE INDEX sessions_recent ON sessions (last_at);
CREATE INDEX sessions_by_id ON sessions (session_id);
CREATE INDEX sessions_by_health ON sessions (health, last_at);
CREATE INDEX sessions_by_rate_health ON sessions (rate_health, last_at);
CREATE INDEX sessions_by_severity ON sessions (worst_severity, last_at);
CREATE INDEX sessions_by_failures ON sessions (failed, last_at);
CREATE INDEX sessions_by_unrecovered ON sessions (unrecovered, last_at);
CREATE INDEX sessions_unscored ON sessions (last_at) WHERE scored_at < last_at;

-- When each thread was first heard of: what its first request carried, it did not do itself.
CREATE TABLE threads (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C" NOT NULL,
  first_at BIGINT NOT NULL,
  PRIMARY KEY (project, session_id, agent_id)
) PARTITION BY HASH (session_id);

CREATE TABLE requests (
  project TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C" NOT NULL,
  conversation TEXT COLLATE "C",
  started_at BIGINT,
  ended_at BIGINT,
  model TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  http_status DOUBLE PRECISION,
  ended TEXT COLLATE "C",
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, request_id)
) PARTITION BY HASH (session_id);
CREATE INDEX requests_by_session ON requests (project, session_id, agent_id, conversation, started_at);

-- Calls that an answer held as text; one row for each format and reason.
CREATE TABLE leaks (
  project TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C" NOT NULL,
  format TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  parsed DOUBLE PRECISION NOT NULL,
  dropped DOUBLE PRECISION NOT NULL,
  occurred_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, request_id, result, format, reason)
) PARTITION BY HASH (session_id);
CREATE INDEX leaks_recent ON leaks (occurred_at);

-- Upstreams that did not take back a call of ours.
CREATE TABLE suspensions (
  project TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C",
  model TEXT COLLATE "C",
  occurred_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, request_id)
) PARTITION BY HASH (session_id);
CREATE INDEX suspensions_recent ON suspensions (occurred_at);

-- Messages of the user: that they were, and what kind of work they ask for.
CREATE TABLE prompts (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  prompt TEXT COLLATE "C" NOT NULL,
  workflow TEXT COLLATE "C",
  first_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, prompt)
) PARTITION BY HASH (session_id);

-- In how many calls of a session a tool, a model, a kind of work or a category occurs.
CREATE TABLE session_facets (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (project, session_id, kind, value)
) PARTITION BY HASH (session_id);
CREATE INDEX session_facets_by_value ON session_facets (kind, value, project, session_id);

DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['calls', 'sessions', 'threads', 'requests', 'leaks', 'suspensions', 'prompts', 'session_facets'] LOOP
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)', name || '_' || part, name, part);
    END LOOP;
  END LOOP;
END $$;

-- Sums over settled calls, by hour and once more by day (span, in ms). Their rows change all the time: space left in each page keeps that cheap.
CREATE TABLE rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  model_name TEXT COLLATE "C" NOT NULL,
  tool_name TEXT COLLATE "C" NOT NULL,
  phase TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  recovered BIGINT NOT NULL,
  follow_on BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  unrecovered BIGINT NOT NULL,
  excused BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, provider, model_name, tool_name, phase, category)
) WITH (fillfactor = 50);

-- The same with few dimensions: totals and series are sums over these.
CREATE TABLE total_rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  phase TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  recovered BIGINT NOT NULL,
  follow_on BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  unrecovered BIGINT NOT NULL,
  excused BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, phase, category)
) WITH (fillfactor = 50);

-- Sessions and their requests by the time of their last sign of life.
CREATE TABLE session_rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  sessions BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  PRIMARY KEY (span, start, project)
) WITH (fillfactor = 50);

CREATE TABLE workflow_rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  workflow TEXT COLLATE "C" NOT NULL,
  phase TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  recovered BIGINT NOT NULL,
  follow_on BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  unrecovered BIGINT NOT NULL,
  excused BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, workflow, phase, category)
) WITH (fillfactor = 50);

-- How long tools took, in classes that each are a fifth wider than the one before.
CREATE TABLE durations (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  tool_name TEXT COLLATE "C" NOT NULL,
  bucket INTEGER NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, tool_name, bucket)
) WITH (fillfactor = 50);

-- The same failure wherever it occurs.
CREATE TABLE fingerprint_rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, fingerprint, category)
) WITH (fillfactor = 50);
CREATE TABLE fingerprint_facets (
  project TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  tool_name TEXT COLLATE "C" NOT NULL,
  model_name TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (project, fingerprint, tool_name, model_name)
) WITH (fillfactor = 50);
CREATE TABLE fingerprints (
  project TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  sample TEXT NOT NULL,
  PRIMARY KEY (project, fingerprint)
) WITH (fillfactor = 50);

-- Counted calls per hour by origin: how mended calls came out beside the others.
CREATE TABLE origin_rollups (
  project TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  origin TEXT COLLATE "C" NOT NULL,
  phase TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  ok BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  soft BIGINT NOT NULL,
  PRIMARY KEY (project, hour, origin, phase)
) WITH (fillfactor = 50);

-- Events as finished lines, until every reader has passed them. A row may hold several; its id is the number of the last. Numbers come from the
-- one row of `event_numbers`, which a writer holds until it commits: so they appear in order, and a reader never overtakes one.
CREATE TABLE changes (id BIGINT PRIMARY KEY, line TEXT NOT NULL);
CREATE TABLE event_numbers (id INTEGER PRIMARY KEY CHECK (id = 1), last BIGINT NOT NULL) WITH (fillfactor = 10);
INSERT INTO event_numbers (id, last) VALUES (1, 0);
CREATE TABLE cursors (name TEXT COLLATE "C" PRIMARY KEY, position BIGINT NOT NULL, moved_at TIMESTAMPTZ NOT NULL);
CREATE TABLE journal_positions (journal TEXT COLLATE "C" PRIMARY KEY, position TEXT NOT NULL);

-- What the servers on this database share, and which of them does what only one should do.
CREATE TABLE settings (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE leases (task TEXT COLLATE "C" PRIMARY KEY, holder TEXT NOT NULL, until TIMESTAMPTZ NOT NULL);

-- The names and shape that queries of other tools rely on. Only settled calls: a rate must not divide by pending ones.
CREATE VIEW tool_calls AS
SELECT
  project, session_id, agent_id, tool_call_id, occurrence, record_id, request_id, provider, model_name, tool_name, client,
  status, phase, category, severity, soft, status_message, call_count, error_count,
  execution_time_ms AS avg_execution_time_ms, turnaround_ms, input_size_bytes, output_size_bytes, created_at,
  workflow, fingerprint, position, preceding_tool, preceding_success, is_cascade_failure, retry_of, retry_count, recovered_by,
  cascade_of, cascade_rule
FROM calls
WHERE call_count = 1;

-- Derived, so each score exists once and is always the present one. `value` for numbers and booleans, `string_value` for names.
CREATE VIEW scores AS
SELECT record_id || '-tool_success' AS id, 'tool_success' AS name, 'BOOLEAN' AS data_type,
  CASE status WHEN 'ok' THEN 1.0 ELSE 0.0 END::DOUBLE PRECISION AS value, CAST(NULL AS TEXT) AS string_value,
  project, session_id, record_id AS observation_id, CAST(NULL AS TEXT) AS trace_id
FROM calls WHERE call_count = 1 AND status IN ('ok', 'failed')
UNION ALL
SELECT record_id || '-failure_category', 'failure_category', 'CATEGORICAL', NULL, coalesce(category, 'failed'),
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT record_id || '-error_severity', 'error_severity', 'NUMERIC', coalesce(severity, 0.5), NULL,
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT record_id || '-is_cascade_failure', 'is_cascade_failure', 'BOOLEAN', 1.0 * coalesce(is_cascade_failure, 0), NULL,
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT trace_id || '-session_success_rate', 'session_success_rate', 'NUMERIC', success_rate, NULL,
  project, session_id, NULL, trace_id
FROM sessions WHERE success_rate IS NOT NULL
UNION ALL
SELECT trace_id || '-session_health', 'session_health', 'CATEGORICAL', NULL, health, project, session_id, NULL, trace_id
FROM sessions
UNION ALL
SELECT trace_id || '-dominant_failure_mode', 'dominant_failure_mode', 'CATEGORICAL', NULL, dominant_failure_mode,
  project, session_id, NULL, trace_id
FROM sessions WHERE dominant_failure_mode IS NOT NULL
UNION ALL
SELECT trace_id || '-session_rate_health', 'session_rate_health', 'CATEGORICAL', NULL, rate_health, project, session_id, NULL, trace_id
FROM sessions;
