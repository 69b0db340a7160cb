-- What repair did to a native call that does not fit its schema (`repaired` or `left`), and the classes of its faults,
-- separated by commas. Null for calls that fit.
ALTER TABLE calls ADD COLUMN call_repair TEXT;
ALTER TABLE calls ADD COLUMN repair_classes TEXT;

CREATE INDEX calls_by_repair ON calls (first_at) WHERE call_repair IS NOT NULL;
