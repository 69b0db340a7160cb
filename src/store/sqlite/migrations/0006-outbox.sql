-- What other systems are to be told of a call or a session. A row stays when it was sent: it remembers what the other side has.
CREATE TABLE outbox (
  target TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT,
  tool_call_id TEXT,
  occurrence INTEGER,
  version INTEGER NOT NULL,
  sent_version INTEGER NOT NULL,
  queued_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  span_sent INTEGER NOT NULL,
  sent_scores TEXT NOT NULL,
  PRIMARY KEY (project, session_id, target, id)
);
CREATE INDEX outbox_due ON outbox (target, due_at) WHERE version > sent_version;
