-- What came of asking for a response once more, why it was, and what it cost. Null for all other responses.
ALTER TABLE requests ADD COLUMN second_chance TEXT COLLATE "C";
ALTER TABLE requests ADD COLUMN second_chance_reason TEXT COLLATE "C";
ALTER TABLE requests ADD COLUMN second_chance_ms BIGINT;
ALTER TABLE requests ADD COLUMN second_chance_input BIGINT;
ALTER TABLE requests ADD COLUMN second_chance_output BIGINT;

CREATE INDEX requests_by_second_chance ON requests (ended_at) WHERE second_chance IS NOT NULL;
