-- Snapshots of sandboxes. What is in one is on its provider; who may use it stands here: the id alone is none's
-- right to it. A row goes when no session and no configuration refers to it, and the provider lets go of it then.
CREATE TABLE snapshots (
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    id               TEXT NOT NULL CHECK (id <> ''),
    provider         TEXT NOT NULL CHECK (provider <> ''),
    -- Whose sandbox it was. Not a reference: a configuration's snapshot outlives the session that made it.
    session_id       UUID NOT NULL,
    parent_id        TEXT,
    byte_size        BIGINT NOT NULL CHECK (byte_size >= 0),
    depth            BIGINT NOT NULL CHECK (depth >= 0),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, id)
);
-- Whether anything refers to one.
CREATE INDEX idx_sessions_snapshot ON sessions (organization_id, snapshot_id) WHERE snapshot_id IS NOT NULL;
CREATE INDEX idx_configurations_snapshot ON configurations (organization_id, snapshot_id)
    WHERE snapshot_id IS NOT NULL;
