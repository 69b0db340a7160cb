-- A number that changes whenever anything of the session is written: who knows the number knows that what it remembers of the session still holds.
ALTER TABLE sessions ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0;
