-- What people decided about an error; no row: open.
CREATE TABLE error_states (
  project TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (project, fingerprint)
);
