-- expand
-- What an organization may use. The operator sets the ceiling, an admin of the organization chooses below it, and the
-- smaller of the two is in force. NULL is no limit on that level.
CREATE TABLE organization_limits (
    organization_id       TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    level                 TEXT NOT NULL CHECK (level IN ('operator', 'organization')),
    live_sessions         BIGINT CHECK (live_sessions >= 0),
    sandboxes             BIGINT CHECK (sandboxes >= 0),
    storage_bytes         BIGINT CHECK (storage_bytes >= 0),
    spend_day_micro_usd   BIGINT CHECK (spend_day_micro_usd >= 0),
    spend_month_micro_usd BIGINT CHECK (spend_month_micro_usd >= 0),
    approval_seconds      BIGINT CHECK (approval_seconds >= 1),
    updated_at            TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, level)
);

-- What the sessions of an organization spent on their models on one day (UTC), counted up with the usage of the session.
CREATE TABLE organization_model_spend (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    -- YYYY-MM-DD
    day             TEXT NOT NULL CHECK (length(day) = 10),
    cost_micro_usd  BIGINT NOT NULL CHECK (cost_micro_usd >= 0),
    PRIMARY KEY (organization_id, day)
);

-- A share of a spend limit that was reached, and noticed: once in each day and month.
CREATE TABLE organization_spend_notices (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    period          TEXT NOT NULL CHECK (period IN ('day', 'month')),
    -- The first day of the period.
    begins          TEXT NOT NULL CHECK (length(begins) = 10),
    percent         BIGINT NOT NULL CHECK (percent IN (80, 100)),
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, period, begins, percent)
);

-- The bytes that an organization has stored, as a running sum. A sweep counts what has a row again now and then: results
-- of calls, whose transaction does not wait for this row, are added by that.
CREATE TABLE organization_storage (
    organization_id    TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    -- Snapshots, artifacts and pieces of recordings.
    byte_size          BIGINT NOT NULL CHECK (byte_size >= 0),
    -- Files that agents handed in as evidence. They have no rows, so that they are only counted up.
    evidence_byte_size BIGINT NOT NULL CHECK (evidence_byte_size >= 0),
    -- NULL: since the table was made.
    counted_at         TIMESTAMPTZ,
    PRIMARY KEY (organization_id)
);

-- What an organization has running, for each start of a session.
CREATE INDEX idx_sessions_in_use ON sessions (organization_id)
    WHERE status IN ('starting', 'running') OR sandbox_id IS NOT NULL;
