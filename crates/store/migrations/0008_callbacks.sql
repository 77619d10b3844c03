-- Tools that an agent calls from its sandbox and the gateway does. Each is the run of the same id and adds what
-- the agent is told.
CREATE TABLE session_tool_invocations (
    id              UUID PRIMARY KEY,
    organization_id TEXT NOT NULL,
    session_id      UUID NOT NULL,
    -- As the agent names the call. Another session may use the same.
    tool_call_id    TEXT NOT NULL CHECK (tool_call_id <> ''),
    tool_name       TEXT NOT NULL CHECK (tool_name <> ''),
    -- As people see them.
    params          JSONB NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('executing', 'completed', 'failed')),
    -- What the agent is told; as people see it, and never more than its cap.
    result          JSONB,
    error           TEXT,
    created_at      TIMESTAMPTZ NOT NULL,
    completed_at    TIMESTAMPTZ,
    UNIQUE (session_id, tool_call_id),
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    CHECK ((status = 'executing') = (completed_at IS NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL)),
    CHECK (status <> 'completed' OR result IS NOT NULL)
);
CREATE INDEX idx_tool_invocations_session ON session_tool_invocations (session_id, tool_name, created_at);
