-- How many of the sessions of an hour or day are unhealthy by rate: a sum like the others, so that nobody has to count them.
ALTER TABLE session_rollups ADD COLUMN unhealthy INTEGER NOT NULL DEFAULT 0;
UPDATE session_rollups SET unhealthy = (
  SELECT count(*) FROM sessions s
  WHERE s.rate_health = 'unhealthy' AND s.project = session_rollups.project
    AND s.last_at >= session_rollups.start AND s.last_at < session_rollups.start + session_rollups.span);
