-- What those who watch a session were told, in the order they were told it.

CREATE TABLE session_events (
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    -- Counts from 1 without gaps; only the oldest are ever removed, and never the newest.
    seq              BIGINT NOT NULL CHECK (seq >= 1),
    -- Of the owner who wrote it.
    epoch            BIGINT NOT NULL CHECK (epoch >= 0),
    kind             TEXT NOT NULL CHECK (kind <> ''),
    -- JSON as it was sent, byte for byte; empty where the kind says all.
    payload          TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, seq),
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE
);
