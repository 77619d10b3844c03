-- Work that is to be done whatever happens to whoever asked for it. A row is put down in the transaction of the change
-- that it follows from.
CREATE TABLE jobs (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    -- domain::job::Task says what each kind does, and what of `data` it needs.
    kind             TEXT NOT NULL CHECK (kind <> ''),
    data             JSONB NOT NULL,
    dedupe_key       TEXT NOT NULL CHECK (dedupe_key <> ''),
    status           TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed')),
    -- When it is to be done; while it runs, when it is to be done again if `is_asked_again`.
    run_at           TIMESTAMPTZ NOT NULL,
    is_asked_again   BOOLEAN NOT NULL,
    attempts         BIGINT NOT NULL CHECK (attempts >= 0),
    -- Who has it, and until when if nothing more is heard.
    locked_by        UUID,
    locked_until     TIMESTAMPTZ,
    -- Why the last attempt failed, or why it was put off.
    note             TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    updated_at       TIMESTAMPTZ NOT NULL,
    ended_at         TIMESTAMPTZ,
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    CHECK ((status = 'running') = (locked_by IS NOT NULL)),
    CHECK ((status = 'running') = (locked_until IS NOT NULL)),
    CHECK ((status IN ('done', 'failed')) = (ended_at IS NOT NULL)),
    CHECK (status = 'running' OR NOT is_asked_again)
);
-- One of each that waits or runs.
CREATE UNIQUE INDEX idx_jobs_dedupe ON jobs (dedupe_key) WHERE status IN ('waiting', 'running');
CREATE INDEX idx_jobs_waiting ON jobs (run_at) WHERE status = 'waiting';
CREATE INDEX idx_jobs_running ON jobs (locked_until) WHERE status = 'running';
CREATE INDEX idx_jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX idx_jobs_organization ON jobs (organization_id, id);

-- The sandbox that a session is about to move to: its number, which no other sandbox of the session is ever given, and
-- what its provider finds it by. Its token is good while the owner of that epoch makes it.
ALTER TABLE sessions ADD COLUMN successor_incarnation BIGINT;
ALTER TABLE sessions ADD COLUMN successor_epoch BIGINT;
ALTER TABLE sessions ADD COLUMN successor_sandbox TEXT;
