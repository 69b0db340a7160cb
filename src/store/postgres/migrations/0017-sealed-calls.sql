-- Repaired calls of conversations that the provider stores, until their result is sent. Encrypted: the key is not in here.
CREATE TABLE sealed_calls (
  project TEXT NOT NULL,
  tool_call_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (project, tool_call_id)
);
CREATE INDEX sealed_calls_by_age ON sealed_calls (created_at);
