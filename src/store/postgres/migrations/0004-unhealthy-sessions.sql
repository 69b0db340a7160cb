-- How many of the sessions of an hour or day are unhealthy by rate: a sum like the others, so that nobody has to count them.
ALTER TABLE session_rollups ADD COLUMN unhealthy BIGINT NOT NULL DEFAULT 0;
UPDATE session_rollups r SET unhealthy = (
  SELECT count(*) FROM sessions s
  WHERE s.rate_health = 'unhealthy' AND s.project = r.project AND s.last_at >= r.start AND s.last_at < r.start + r.span);
