-- Each time that an organization locked its calls, and who unlocked them again.
CREATE TABLE safety_locks (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    engaged_by       TEXT NOT NULL,
    engaged_at       TIMESTAMPTZ NOT NULL,
    engaged_reason   TEXT NOT NULL CHECK (engaged_reason <> ''),
    released_by      TEXT,
    released_at      TIMESTAMPTZ,
    released_reason  TEXT CHECK (released_reason <> ''),
    UNIQUE (organization_id, id),
    CHECK ((released_at IS NULL) = (released_by IS NULL)),
    CHECK ((released_at IS NULL) = (released_reason IS NULL))
);
-- One holds at a time. Every decision looks here, and finds nothing where nothing is locked.
CREATE UNIQUE INDEX idx_safety_locks_engaged ON safety_locks (organization_id) WHERE released_at IS NULL;

-- Two people's word that a lane may pass a lock for a time.
CREATE TABLE override_tickets (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    lock_id          UUID NOT NULL,
    lane_id          TEXT NOT NULL CHECK (lane_id <> ''),
    reason           TEXT NOT NULL CHECK (reason <> ''),
    minutes          BIGINT NOT NULL CHECK (minutes BETWEEN 1 AND 60),
    status           TEXT NOT NULL CHECK (status IN ('requested', 'approved', 'active', 'disabled', 'expired',
        'closed')),
    opened_by        TEXT NOT NULL,
    opened_at        TIMESTAMPTZ NOT NULL,
    -- Until when it waits; once it is used, until when its lane is lifted.
    expires_at       TIMESTAMPTZ NOT NULL,
    approved_by      TEXT,
    approved_at      TIMESTAMPTZ,
    -- The calls that used it and that put the rule back. Without a reference: a run is a record by itself.
    enabled_run_id   UUID,
    enabled_at       TIMESTAMPTZ,
    ended_run_id     UUID,
    ended_by         TEXT,
    ended_at         TIMESTAMPTZ,
    FOREIGN KEY (organization_id, lock_id) REFERENCES safety_locks (organization_id, id) ON DELETE CASCADE,
    -- The second person is another one.
    CHECK (approved_by <> opened_by),
    CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
    CHECK ((enabled_run_id IS NULL) = (enabled_at IS NULL)),
    CHECK (enabled_at IS NULL OR approved_at IS NOT NULL),
    CHECK (status <> 'requested' OR approved_at IS NULL),
    CHECK (status <> 'approved' OR (approved_at IS NOT NULL AND enabled_at IS NULL)),
    CHECK (status NOT IN ('active', 'disabled') OR enabled_at IS NOT NULL),
    CHECK ((status IN ('requested', 'approved', 'active')) = (ended_at IS NULL)),
    CHECK ((status = 'disabled') = (ended_run_id IS NOT NULL)),
    CHECK ((status = 'closed') = (ended_by IS NOT NULL))
);
CREATE INDEX idx_override_tickets_organization ON override_tickets (organization_id, id);
CREATE INDEX idx_override_tickets_open ON override_tickets (organization_id, lock_id)
    WHERE status IN ('requested', 'approved', 'active');
CREATE INDEX idx_override_tickets_due ON override_tickets (expires_at)
    WHERE status IN ('requested', 'approved', 'active');
