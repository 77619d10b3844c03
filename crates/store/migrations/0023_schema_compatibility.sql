-- expand
-- Which binaries work with the schema: one row for each migration from this one on, inserted by the migration itself.
-- A binary that does not have the newest migration reads its row and refuses the database if it is older than
-- `oldest_binary`.
CREATE TABLE schema_compatibility (
    version        BIGINT PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('expand', 'contract')),
    -- The newest migration that the oldest working binary has.
    oldest_binary  BIGINT NOT NULL CHECK (oldest_binary > 0 AND oldest_binary <= version)
);
