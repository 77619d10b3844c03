-- Tool servers of an organization or of one of its configurations, and the definitions of their tools.

CREATE TABLE connectors (
    id                UUID NOT NULL,
    organization_id   TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    -- NULL for the whole organization.
    configuration_id  UUID,
    -- What it is; crates/connectors reads and writes it.
    config            JSONB NOT NULL,
    created_by        TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    -- Actions, grants and pinned definitions name a connector by its id alone: in one organization an id is
    -- one server, whoever listed it.
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, configuration_id)
        REFERENCES configurations (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_connectors_scope ON connectors (organization_id, configuration_id, id);

-- The definition that a tool is judged by: the one it had when it was first seen, or that an admin accepted.
CREATE TABLE connector_tools (
    organization_id  TEXT NOT NULL,
    connector_id     UUID NOT NULL,
    -- The action that the tool becomes: made from the tool's name alone, and safe to keep whatever a server
    -- calls its tools.
    action           TEXT NOT NULL CHECK (action <> ''),
    sha256           TEXT NOT NULL,
    first_seen_at    TIMESTAMPTZ NOT NULL,
    -- Who accepted it, whether or not they are still there.
    reviewed_by      TEXT,
    reviewed_at      TIMESTAMPTZ,
    PRIMARY KEY (organization_id, connector_id, action),
    FOREIGN KEY (organization_id, connector_id)
        REFERENCES connectors (organization_id, id) ON DELETE CASCADE,
    CHECK ((reviewed_by IS NULL) = (reviewed_at IS NULL))
);
