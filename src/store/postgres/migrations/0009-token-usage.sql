-- The tokens of each response, and their sums by hour and by day. Unknown for responses of earlier versions of Toolmend.
CREATE TABLE usages (
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  response TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C",
  turn TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  model_name TEXT COLLATE "C",
  occurred_at BIGINT NOT NULL,
  input_tokens BIGINT,
  output_tokens BIGINT,
  cached_tokens BIGINT,
  cache_write_tokens BIGINT,
  reasoning_tokens BIGINT,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, response)
) PARTITION BY HASH (session_id);

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE usages_%s PARTITION OF usages FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
  END LOOP;
END $$;

-- A kind of tokens that no response reported has no row: its sum is unknown.
CREATE TABLE token_rollups (
  project TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  start BIGINT NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  model_name TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  responses BIGINT NOT NULL,
  tokens BIGINT NOT NULL,
  PRIMARY KEY (span, start, project, provider, model_name, kind)
) WITH (fillfactor = 50);

ALTER TABLE sessions
  ADD COLUMN input_tokens BIGINT,
  ADD COLUMN output_tokens BIGINT,
  ADD COLUMN cached_tokens BIGINT,
  ADD COLUMN cache_write_tokens BIGINT,
  ADD COLUMN reasoning_tokens BIGINT;
