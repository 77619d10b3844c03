-- expand
-- Which members of an organization see a session, and links to its transcript for readers without a credential.

-- A binary from before this column shows every session to the whole organization: replace all instances before a session
-- is made private.
-- @postgres
ALTER TABLE sessions ADD COLUMN visibility TEXT NOT NULL DEFAULT 'organization';
-- Not checked for the rows that are there, which have the default: the table is large, and is locked meanwhile.
ALTER TABLE sessions ADD CONSTRAINT sessions_visibility CHECK (visibility IN ('organization', 'private', 'people'))
    NOT VALID;
-- @sqlite
-- ALTER TABLE sessions ADD COLUMN visibility TEXT NOT NULL DEFAULT 'organization'
--     CHECK (visibility IN ('organization', 'private', 'people'));
-- @end

-- The members who are named for a session, each to see or to steer it. Gone with the session and with the membership.
CREATE TABLE session_people (
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    user_id          TEXT NOT NULL,
    may              TEXT NOT NULL CHECK (may IN ('see', 'steer')),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, user_id),
    FOREIGN KEY (organization_id, session_id)
        REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, user_id)
        REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_session_people_member ON session_people (organization_id, user_id);

-- Of a link only the digest of its code is kept. A link is gone with its session and with the membership of its maker.
CREATE TABLE share_links (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    code_hash        TEXT NOT NULL UNIQUE,
    created_by       TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    revoked_at       TIMESTAMPTZ,
    -- The last opening that was recorded, and how many were.
    opened_at        TIMESTAMPTZ,
    openings         BIGINT NOT NULL DEFAULT 0 CHECK (openings >= 0),
    CHECK (expires_at > created_at),
    CHECK ((opened_at IS NULL) = (openings = 0)),
    FOREIGN KEY (organization_id, session_id)
        REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, created_by)
        REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_share_links_session ON share_links (session_id, id);
CREATE INDEX idx_share_links_member ON share_links (organization_id, created_by);
CREATE INDEX idx_share_links_expires ON share_links (expires_at);

-- Whether links of this organization work.
ALTER TABLE organization ADD COLUMN share_links BOOLEAN NOT NULL DEFAULT TRUE;
