-- Which versions of clients made calls, and when first.
CREATE INDEX calls_by_client_version ON calls (client, client_version, settled_at)
  WHERE call_count = 1 AND client_version IS NOT NULL;
