-- Actions on outside services: what was asked for, who allowed it, what became of it; and the grants that
-- spare the asking.

-- One request to run an action. It is the run of the same name and adds what people decide on.
CREATE TABLE action_invocations (
    id                  UUID PRIMARY KEY,
    organization_id     TEXT NOT NULL,
    session_id          UUID NOT NULL,
    run_id              UUID NOT NULL UNIQUE,
    -- The connection whose credentials are used; a connector has none.
    integration_id      UUID,
    integration         TEXT NOT NULL CHECK (integration <> ''),
    action              TEXT NOT NULL CHECK (action <> ''),
    risk_level          TEXT NOT NULL CHECK (risk_level IN ('read', 'write', 'danger')),
    -- As people see them; what runs is sealed, and gone once it has run.
    params              JSONB NOT NULL,
    sealed_params       TEXT,
    -- What an approval is for: this call, of this definition of the tool, under this policy.
    call_sha256         TEXT NOT NULL,
    tool_sha256         TEXT NOT NULL,
    policy_id           TEXT NOT NULL,
    created_at          TIMESTAMPTZ NOT NULL,
    -- Where it stands; domain::action::InvocationState says which of these belong to which status.
    status              TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'executing', 'completed',
        'failed', 'denied', 'expired')),
    expires_at          TIMESTAMPTZ,
    returned            JSONB,
    approved_by         TEXT,
    approved_at         TIMESTAMPTZ,
    approval_grant_id   UUID,
    claimed_at          TIMESTAMPTZ,
    authority           TEXT CHECK (authority IN ('read', 'grant', 'approval')),
    grant_id            UUID,
    completed_at        TIMESTAMPTZ,
    result_sha256       TEXT,
    result_artifact_id  UUID,
    error_code          TEXT,
    error               TEXT,
    error_retryable     BOOLEAN,
    effect              TEXT CHECK (effect IN ('known', 'unknown')),
    refusal             TEXT,
    reason              TEXT,
    -- As people see it, and never more than its cap.
    result              JSONB,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    CHECK ((status IN ('pending', 'approved')) = (expires_at IS NOT NULL)),
    CHECK (status NOT IN ('pending', 'approved', 'executing') OR sealed_params IS NOT NULL),
    CHECK (status <> 'approved' OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)),
    -- Nothing runs without an authority.
    CHECK ((status IN ('executing', 'completed', 'failed')) = (claimed_at IS NOT NULL AND authority IS NOT NULL)),
    CHECK (authority <> 'grant' OR grant_id IS NOT NULL),
    CHECK (authority <> 'approval' OR (approved_by IS NOT NULL AND approved_at IS NOT NULL)),
    CHECK ((status IN ('completed', 'failed', 'denied', 'expired')) = (completed_at IS NOT NULL)),
    CHECK (status <> 'completed' OR result_sha256 IS NOT NULL),
    CHECK ((status = 'failed') = (error_code IS NOT NULL AND error IS NOT NULL AND error_retryable IS NOT NULL
        AND effect IS NOT NULL)),
    CHECK (status <> 'denied' OR (approved_by IS NULL) <> (refusal IS NULL))
);
CREATE INDEX idx_action_invocations_session ON action_invocations (organization_id, session_id, id);
CREATE INDEX idx_action_invocations_org_created ON action_invocations (organization_id, id);
CREATE INDEX idx_action_invocations_org_status ON action_invocations (organization_id, status, id);
CREATE INDEX idx_action_invocations_status_expires ON action_invocations (expires_at)
    WHERE expires_at IS NOT NULL;
CREATE INDEX idx_action_invocations_grant ON action_invocations (organization_id, grant_id, id)
    WHERE grant_id IS NOT NULL;

-- A person's standing yes to writes.
CREATE TABLE action_grants (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    -- Who allowed it, whether or not they are still there.
    created_by       TEXT NOT NULL CHECK (created_by <> ''),
    -- NULL for the whole organization.
    session_id       UUID,
    integration      TEXT NOT NULL CHECK (integration <> ''),
    action           TEXT NOT NULL CHECK (action <> ''),
    predicates       JSONB NOT NULL,
    max_calls        BIGINT CHECK (max_calls > 0),
    used_calls       BIGINT NOT NULL CHECK (used_calls >= 0),
    expires_at       TIMESTAMPTZ,
    revoked_at       TIMESTAMPTZ,
    last_used_at     TIMESTAMPTZ,
    created_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    -- The last word on a budget.
    CHECK (max_calls IS NULL OR used_calls <= max_calls)
);
CREATE INDEX idx_action_grants_org ON action_grants (organization_id, id);
CREATE INDEX idx_action_grants_lookup ON action_grants (organization_id, integration, action)
    WHERE revoked_at IS NULL;

-- What an agent asks for and a person decides.
CREATE TABLE action_grant_requests (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    -- The scope that is wished for.
    scope            TEXT NOT NULL CHECK (scope IN ('session', 'org')),
    integration      TEXT NOT NULL CHECK (integration <> ''),
    action           TEXT NOT NULL CHECK (action <> ''),
    predicates       JSONB NOT NULL,
    max_calls        BIGINT CHECK (max_calls > 0),
    grant_expires_at TIMESTAMPTZ,
    created_at       TIMESTAMPTZ NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'granted', 'refused', 'expired')),
    expires_at       TIMESTAMPTZ,
    decided_by       TEXT,
    decided_at       TIMESTAMPTZ,
    grant_id         UUID,
    reason           TEXT,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    CHECK ((status = 'pending') = (expires_at IS NOT NULL)),
    CHECK ((status IN ('granted', 'refused')) = (decided_by IS NOT NULL)),
    CHECK ((status <> 'pending') = (decided_at IS NOT NULL)),
    CHECK ((status = 'granted') = (grant_id IS NOT NULL))
);
CREATE INDEX idx_action_grant_requests_session ON action_grant_requests (organization_id, session_id, id);
CREATE INDEX idx_action_grant_requests_org ON action_grant_requests (organization_id, id);
CREATE INDEX idx_action_grant_requests_status ON action_grant_requests (organization_id, status, id);

-- Every event passes through here: its key is all there is to a row.
-- @sqlite
-- CREATE TABLE audit_pending_by_key (
--     organization_id  TEXT NOT NULL,
--     event_id         TEXT NOT NULL,
--     PRIMARY KEY (organization_id, event_id)) WITHOUT ROWID, STRICT;
-- INSERT INTO audit_pending_by_key SELECT organization_id, event_id FROM audit_pending;
-- DROP TABLE audit_pending;
-- ALTER TABLE audit_pending_by_key RENAME TO audit_pending;
-- @end

-- An event that is recorded waits for its place: nobody has to think of it, and nobody can forget to.
-- @postgres
CREATE FUNCTION audit_event_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_pending (organization_id, event_id) SELECT organization_id, id FROM recorded;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_events_wait AFTER INSERT ON audit_events
    REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION audit_event_waits();
-- @sqlite
-- CREATE TRIGGER audit_events_wait AFTER INSERT ON audit_events
--     BEGIN INSERT INTO audit_pending VALUES (NEW.organization_id, NEW.id); END;
-- @end
