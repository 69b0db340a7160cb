-- What people decided about an error; no row: open.
CREATE TABLE error_states (
  project TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (project, fingerprint)
);
