-- Answers that requests go on from where the provider holds the history: by their own id, and by their conversation's. Hashes.
ALTER TABLE requests ADD COLUMN answer_key TEXT COLLATE "C";
ALTER TABLE requests ADD COLUMN conversation_key TEXT COLLATE "C";
CREATE INDEX requests_by_answer ON requests (answer_key, ended_at) WHERE answer_key IS NOT NULL;
CREATE INDEX requests_by_conversation ON requests (conversation_key, ended_at) WHERE conversation_key IS NOT NULL;
