-- What other systems are to be told of a call or a session. A row stays when it was sent: it remembers what the other side has.
CREATE TABLE outbox (
  target TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  kind TEXT NOT NULL,
  project TEXT COLLATE "C" NOT NULL,
  session_id TEXT COLLATE "C" NOT NULL,
  agent_id TEXT COLLATE "C",
  tool_call_id TEXT COLLATE "C",
  occurrence INTEGER,
  version INTEGER NOT NULL,
  sent_version INTEGER NOT NULL,
  queued_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  span_sent INTEGER NOT NULL,
  sent_scores TEXT NOT NULL,
  PRIMARY KEY (project, session_id, target, id)
) PARTITION BY HASH (session_id);
CREATE INDEX outbox_due ON outbox (target, due_at) WHERE version > sent_version;
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE outbox_%s PARTITION OF outbox FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
  END LOOP;
END $$;
