-- Tasks that agents work on alone, and the times they did.

CREATE TABLE automations (
    id                        UUID PRIMARY KEY,
    organization_id           TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    name                      TEXT NOT NULL CHECK (name <> ''),
    description               TEXT,
    enabled                   BOOLEAN NOT NULL,
    agent_instructions        TEXT NOT NULL CHECK (agent_instructions <> ''),
    -- By the name we have for it.
    model_id                  TEXT NOT NULL CHECK (model_id <> ''),
    default_configuration_id  UUID,
    created_by                TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at                TIMESTAMPTZ NOT NULL,
    updated_at                TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, default_configuration_id)
        REFERENCES configurations (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_automations_configuration ON automations (default_configuration_id)
    WHERE default_configuration_id IS NOT NULL;

CREATE TABLE automation_runs (
    id                 UUID PRIMARY KEY,
    organization_id    TEXT NOT NULL,
    automation_id      UUID NOT NULL,
    -- A session has one run at most.
    session_id         UUID NOT NULL UNIQUE,
    status             TEXT NOT NULL CHECK
        (status IN ('running', 'succeeded', 'failed', 'needs_human', 'timed_out')),
    deadline_at        TIMESTAMPTZ,
    -- Why it ended, where its agent did not say.
    status_reason      TEXT,
    -- What its agent said, under which id.
    completion_id      TEXT CHECK (completion_id <> ''),
    completion_json    JSONB,
    created_by         TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at         TIMESTAMPTZ NOT NULL,
    completed_at       TIMESTAMPTZ,
    -- When its session was seen to be over, too.
    closed_at          TIMESTAMPTZ,
    FOREIGN KEY (organization_id, automation_id) REFERENCES automations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    CHECK ((status = 'running') = (completed_at IS NULL)),
    CHECK ((status = 'running') = (deadline_at IS NOT NULL)),
    CHECK (status <> 'running' OR closed_at IS NULL),
    CHECK ((completion_id IS NULL) = (completion_json IS NULL)),
    CHECK (status NOT IN ('succeeded', 'needs_human') OR completion_id IS NOT NULL),
    CHECK (status NOT IN ('running', 'timed_out') OR completion_id IS NULL),
    -- Whoever ended it said why, one way or the other.
    CHECK ((status <> 'running' AND completion_id IS NULL) = (status_reason IS NOT NULL))
);
CREATE INDEX idx_automation_runs_automation ON automation_runs (automation_id, id);
-- Those that somebody has to end if their agents do not, or whose sessions somebody has to end.
CREATE INDEX idx_automation_runs_open ON automation_runs (id) WHERE closed_at IS NULL;

-- Sandboxes that nobody has put away yet, though their sessions are over.
CREATE INDEX idx_sessions_to_release ON sessions (ended_at) WHERE status = 'stopped' AND sandbox_id IS NOT NULL;
