-- Numbers that change whenever anything of a session, or of a call, is written: who knows the number knows that what it remembers still holds.
ALTER TABLE sessions ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
