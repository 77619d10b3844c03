-- Mediated calls: the policies they are decided under, the cases and artifacts they are about, and the
-- runs they are.

-- A policy that was in force, by the digests of its files. Kept for good: a run is decided under the
-- policy it is pinned to, also by a process that has never read that policy's files.
CREATE TABLE policies (
    id             TEXT PRIMARY KEY,
    lanes_sha256   TEXT NOT NULL,
    lanes_commit   TEXT,
    roles_sha256   TEXT NOT NULL,
    roles_commit   TEXT,
    tools_sha256   TEXT NOT NULL,
    tools_commit   TEXT,
    created_at     TIMESTAMPTZ NOT NULL
);
CREATE TABLE policy_files (
    sha256         TEXT PRIMARY KEY,
    content        TEXT NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL
);

CREATE TABLE cases (
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    id               TEXT NOT NULL CHECK (id <> ''),
    title            TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- Who may work on a case: `user:ID`, `service:NAME` or `session:ID`.
CREATE TABLE case_members (
    organization_id  TEXT NOT NULL,
    case_id          TEXT NOT NULL,
    member           TEXT NOT NULL CHECK (member LIKE 'user:%' OR member LIKE 'service:%'
        OR member LIKE 'session:%'),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, case_id, member),
    FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id) ON DELETE CASCADE
);

-- The cases of somebody.
CREATE INDEX idx_case_members_member ON case_members (organization_id, member, case_id);

-- Meetings with a client. An id is unique within its case alone: if it were taken for a whole organization,
-- trying one would tell that another case has it.
CREATE TABLE case_client_sessions (
    organization_id  TEXT NOT NULL,
    case_id          TEXT NOT NULL,
    id               TEXT NOT NULL CHECK (id <> ''),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, case_id, id),
    FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id) ON DELETE CASCADE
);

-- What is known about stored bytes. The bytes are in the object store, under scope and digest.
CREATE TABLE artifacts (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    case_id          TEXT,
    session_id       UUID,
    kind             TEXT NOT NULL CHECK (kind <> ''),
    media_type       TEXT NOT NULL CHECK (media_type <> ''),
    sha256           TEXT NOT NULL CHECK (length(sha256) = 64),
    byte_size        BIGINT NOT NULL CHECK (byte_size >= 0),
    -- The run that made it, what it was made from, and how; all absent for an upload.
    run_id           UUID,
    derived_from     JSONB NOT NULL,
    transformation   TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    -- What refers to an artifact of a case says which case; also how those of a case are listed.
    UNIQUE (organization_id, case_id, id),
    CHECK ((case_id IS NULL) <> (session_id IS NULL)),
    CHECK ((run_id IS NULL) = (transformation IS NULL))
);
CREATE INDEX idx_artifacts_session ON artifacts (organization_id, session_id, id)
    WHERE session_id IS NOT NULL;
-- The same bytes uploaded again are the same artifact, within one scope. What a run made is its own.
CREATE UNIQUE INDEX idx_artifacts_case_upload
    ON artifacts (organization_id, case_id, sha256, kind, media_type)
    WHERE case_id IS NOT NULL AND run_id IS NULL;
CREATE UNIQUE INDEX idx_artifacts_session_upload
    ON artifacts (organization_id, session_id, sha256, kind, media_type)
    WHERE session_id IS NOT NULL AND run_id IS NULL;

-- Sound that arrives in pieces and becomes one artifact. A recording has the id of the run that opened it.
CREATE TABLE recordings (
    id                 UUID PRIMARY KEY,
    organization_id    TEXT NOT NULL,
    case_id            TEXT NOT NULL,
    client_session_id  TEXT,
    media_type         TEXT NOT NULL CHECK (media_type IN ('audio/wav', 'audio/flac')),
    status             TEXT NOT NULL CHECK (status IN ('open', 'closed')),
    created_at         TIMESTAMPTZ NOT NULL,
    -- The run that closed it; the artifact it became is the one that run made.
    closed_by          UUID,
    closed_at          TIMESTAMPTZ,
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, case_id, client_session_id)
        REFERENCES case_client_sessions (organization_id, case_id, id) ON DELETE CASCADE,
    CHECK ((status = 'closed') = (closed_by IS NOT NULL)),
    CHECK ((closed_by IS NULL) = (closed_at IS NULL))
);
CREATE INDEX idx_recordings_case ON recordings (organization_id, case_id);

CREATE TABLE recording_chunks (
    organization_id  TEXT NOT NULL,
    recording_id     UUID NOT NULL,
    number           BIGINT NOT NULL CHECK (number >= 0),
    sha256           TEXT NOT NULL CHECK (length(sha256) = 64),
    byte_size        BIGINT NOT NULL CHECK (byte_size > 0),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, recording_id, number),
    FOREIGN KEY (organization_id, recording_id) REFERENCES recordings (organization_id, id)
        ON DELETE CASCADE
);

-- Artifacts kept in tables of their case. A table is a name that a lane lists.
CREATE TABLE case_records (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    case_id          TEXT NOT NULL,
    table_name       TEXT NOT NULL CHECK (table_name <> ''),
    -- What replaces it; absent for what was appended.
    record_key       TEXT CHECK (record_key <> ''),
    artifact_id      UUID NOT NULL,
    run_id           UUID NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    updated_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, case_id, artifact_id)
        REFERENCES artifacts (organization_id, case_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_case_records_table ON case_records (organization_id, case_id, table_name, id);
CREATE UNIQUE INDEX idx_case_records_key
    ON case_records (organization_id, case_id, table_name, record_key) WHERE record_key IS NOT NULL;
-- Appending the same again changes nothing, so a call that was cut off can be repeated.
CREATE UNIQUE INDEX idx_case_records_appended
    ON case_records (organization_id, case_id, table_name, artifact_id) WHERE record_key IS NULL;

-- Bundles that were asked for by a call in an export lane. A delivery counts once its run is completed: then
-- it is in the log.
CREATE TABLE export_deliveries (
    run_id           UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    case_id          TEXT NOT NULL,
    artifact_id      UUID NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, case_id, artifact_id)
        REFERENCES artifacts (organization_id, case_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_export_deliveries_artifact ON export_deliveries (organization_id, artifact_id);

-- One piece of mediated work, from an agent's whole session down to a single call.
--
-- Refers to nothing by key: a run is a record of what was tried, also with a case, session or parent
-- that does not exist.
CREATE TABLE runs (
    id                 UUID PRIMARY KEY,
    organization_id    TEXT NOT NULL CHECK (organization_id <> ''),
    kind               TEXT NOT NULL CHECK (kind IN ('orchestrator', 'agent', 'tool_gateway', 'db_write',
        'db_read', 'policy_change', 'promotion', 'export', 'override', 'system')),
    status             TEXT NOT NULL CHECK (status IN ('created', 'running', 'completed', 'failed', 'denied',
        'cancelled')),
    root_id            UUID NOT NULL,
    parent_id          UUID,
    case_id            TEXT,
    session_id         UUID,
    actor_class        TEXT NOT NULL CHECK (actor_class IN ('agent', 'human', 'system')),
    actor_id           TEXT NOT NULL,
    role_id            TEXT NOT NULL,
    lane_id            TEXT,
    tool_name          TEXT,
    operation          TEXT,
    tool_version       TEXT,
    -- The policy it is pinned to.
    policy_id          TEXT,
    correlation_id     TEXT,
    idempotency_scope  TEXT,
    idempotency_key    TEXT,
    request_sha256     TEXT,
    created_at         TIMESTAMPTZ NOT NULL,
    started_at         TIMESTAMPTZ,
    ended_at           TIMESTAMPTZ,
    -- When a running call must have ended; NULL for runs that end when they are told to.
    deadline           TIMESTAMPTZ,
    -- Why it ended as it did, as a word of ours.
    reason             TEXT,
    error_code         TEXT CHECK (error_code IN ('POLICY_DENIED', 'TOOL_TIMEOUT', 'TOOL_ERROR',
        'INVALID_REQUEST', 'DEPENDENCY_DOWN')),
    error_message      TEXT,
    error_retryable    BOOLEAN,
    -- Digests of what went in and what came out, and of the answer, which is made from this row again
    -- for whoever repeats the call.
    inputs             JSONB NOT NULL,
    outputs            JSONB NOT NULL,
    response_sha256    TEXT,
    CHECK ((idempotency_key IS NULL) = (idempotency_scope IS NULL)),
    CHECK ((status = 'running') = (started_at IS NOT NULL AND ended_at IS NULL)),
    CHECK (status NOT IN ('created', 'running') OR ended_at IS NULL),
    CHECK (status IN ('created', 'running') OR ended_at IS NOT NULL),
    CHECK (status NOT IN ('completed', 'failed') OR started_at IS NOT NULL),
    -- Nothing runs without its pins.
    CHECK (started_at IS NULL OR policy_id IS NOT NULL),
    CHECK (status NOT IN ('failed', 'denied') OR (error_code IS NOT NULL AND error_message IS NOT NULL
        AND error_retryable IS NOT NULL)),
    CHECK (status IN ('failed', 'denied') OR error_code IS NULL)
);
-- A key is good for one call.
CREATE UNIQUE INDEX idx_runs_idempotency ON runs (organization_id, idempotency_scope, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX idx_runs_parent ON runs (parent_id) WHERE parent_id IS NOT NULL;
-- Calls that a dead process may have left behind.
CREATE INDEX idx_runs_deadline ON runs (deadline) WHERE status = 'running' AND deadline IS NOT NULL;

-- What has ended stays as it is.
-- @postgres
CREATE FUNCTION ended_run_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a run that has ended does not change';
END $$;
CREATE TRIGGER runs_ended_is_final BEFORE UPDATE ON runs FOR EACH ROW
    WHEN (OLD.status NOT IN ('created', 'running')) EXECUTE FUNCTION ended_run_is_final();
-- @sqlite
-- CREATE TRIGGER runs_ended_is_final BEFORE UPDATE ON runs
--     WHEN OLD.status NOT IN ('created', 'running')
--     BEGIN SELECT RAISE(ABORT, 'a run that has ended does not change'); END;
-- @end

-- Events of a session have a trail of their own, as those of a case have.
ALTER TABLE audit_events ADD COLUMN session_id UUID;
ALTER TABLE audit_events ADD COLUMN run_id TEXT;
ALTER TABLE audit_events ADD COLUMN actor_id TEXT;
CREATE INDEX idx_audit_events_run ON audit_events (organization_id, run_id, id)
    WHERE run_id IS NOT NULL;
-- Newest first, by what can be asked of events without looking at them.
CREATE INDEX idx_audit_events_asked
    ON audit_events (organization_id, id, action_type, outcome, actor_id);
ALTER TABLE audit_ledger ADD COLUMN session_id UUID;
ALTER TABLE audit_ledger ADD COLUMN session_seq BIGINT CHECK (session_seq >= 0);
ALTER TABLE audit_ledger ADD COLUMN session_prev TEXT;
-- The clock had been set back: the event says an earlier time than the one before it.
ALTER TABLE audit_ledger ADD COLUMN clock_regression BOOLEAN NOT NULL DEFAULT FALSE;
CREATE UNIQUE INDEX idx_audit_ledger_session
    ON audit_ledger (organization_id, session_id, session_seq) WHERE session_id IS NOT NULL;

-- Hashes of perfect subtrees of the log's Merkle tree, of every eighth height: what proofs are made of.
CREATE TABLE audit_nodes (
    organization_id  TEXT NOT NULL,
    height           BIGINT NOT NULL CHECK (height > 0),
    position         BIGINT NOT NULL CHECK (position >= 0),
    hash             TEXT NOT NULL,
    PRIMARY KEY (organization_id, height, position)
);
-- @postgres
CREATE TRIGGER audit_nodes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_nodes
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
-- @sqlite
-- CREATE TRIGGER audit_nodes_no_update BEFORE UPDATE ON audit_nodes
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_nodes_no_delete BEFORE DELETE ON audit_nodes
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- @end

-- Checkpoints that wait to be copied to the object store, a second place that whoever rewrites the database
-- would have to rewrite as well.
CREATE TABLE audit_copies_pending (
    organization_id  TEXT NOT NULL,
    size             BIGINT NOT NULL,
    PRIMARY KEY (organization_id, size)
);
INSERT INTO audit_copies_pending (organization_id, size) SELECT organization_id, size FROM audit_checkpoints;
