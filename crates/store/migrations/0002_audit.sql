-- The audit log: what happened, in an order that cannot be changed afterwards.
--
-- An event is inserted in the transaction of the change it records and waits in `audit_pending`. The
-- sequencer gives it its place in `audit_ledger` and signs checkpoints. Nothing here refers to other
-- tables: the log outlives what it speaks of, and no deletion elsewhere reaches it.

CREATE TABLE audit_events (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL CHECK (organization_id <> ''),
    case_id          TEXT,
    action_type      TEXT NOT NULL CHECK (action_type IN ('authz_decision', 'tool_call', 'db_write',
        'db_read', 'policy_change', 'promotion', 'export', 'override', 'system')),
    outcome          TEXT NOT NULL CHECK (outcome IN ('allow', 'deny', 'success', 'failure')),
    -- The canonical bytes that are hashed.
    event            TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL
);

CREATE TABLE audit_pending (
    organization_id  TEXT NOT NULL,
    event_id         UUID NOT NULL,
    PRIMARY KEY (organization_id, event_id)
);

CREATE TABLE audit_ledger (
    organization_id  TEXT NOT NULL,
    seq              BIGINT NOT NULL CHECK (seq >= 0),
    event_id         UUID NOT NULL UNIQUE,
    prev             TEXT NOT NULL,
    case_id          TEXT,
    case_seq         BIGINT CHECK (case_seq >= 0),
    case_prev        TEXT,
    leaf             TEXT NOT NULL,
    PRIMARY KEY (organization_id, seq),
    CHECK ((case_id IS NULL) = (case_seq IS NULL) AND (case_id IS NULL) = (case_prev IS NULL))
);
CREATE UNIQUE INDEX idx_audit_ledger_case
    ON audit_ledger (organization_id, case_id, case_seq) WHERE case_id IS NOT NULL;

CREATE TABLE audit_checkpoints (
    organization_id  TEXT NOT NULL,
    size             BIGINT NOT NULL CHECK (size >= 0),
    root             TEXT NOT NULL,
    -- The right edge of the tree, to go on from.
    frontier         TEXT NOT NULL,
    -- The signed note.
    note             TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, size)
);

-- What is written stays written.
-- @postgres
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
-- @sqlite
-- CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_ledger_no_update BEFORE UPDATE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_ledger_no_delete BEFORE DELETE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_checkpoints_no_update BEFORE UPDATE ON audit_checkpoints
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_checkpoints_no_delete BEFORE DELETE ON audit_checkpoints
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- @end
