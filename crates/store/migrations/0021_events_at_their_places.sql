-- An event stands once: it waits whole in `audit_pending`, and whole it is moved to its place. Before, it had a table of
-- its own, and while somebody waited for it, it was written into that, its index and the list of what waits.
-- What waits cannot be lost: it is removed only where the log has the same words.
-- @postgres
ALTER TABLE audit_ledger ADD COLUMN created_at TIMESTAMPTZ;
ALTER TABLE audit_ledger ADD COLUMN event TEXT;
ALTER TABLE audit_ledger DISABLE TRIGGER audit_ledger_append_only;
UPDATE audit_ledger l SET created_at = e.created_at, event = e.event FROM audit_events e WHERE e.id = l.event_id;
ALTER TABLE audit_ledger ENABLE TRIGGER audit_ledger_append_only;
ALTER TABLE audit_ledger ALTER COLUMN created_at SET NOT NULL;
ALTER TABLE audit_ledger ALTER COLUMN event SET NOT NULL;

CREATE TABLE audit_waiting (
    arrival          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id  TEXT NOT NULL CHECK (organization_id <> ''),
    event_id         UUID NOT NULL,
    case_id          TEXT,
    session_id       UUID,
    run_id           TEXT,
    actor_id         TEXT,
    action_type      TEXT NOT NULL CHECK (action_type IN ('authz_decision', 'tool_call', 'db_write',
        'db_read', 'policy_change', 'promotion', 'export', 'override', 'system')),
    outcome          TEXT NOT NULL CHECK (outcome IN ('allow', 'deny', 'success', 'failure')),
    created_at       TIMESTAMPTZ NOT NULL,
    -- The canonical bytes that are hashed.
    event            TEXT NOT NULL
);
-- Its rows come and go: what is left of them is cleared away by their number, not by their share.
ALTER TABLE audit_waiting SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
INSERT INTO audit_waiting (organization_id, event_id, case_id, session_id, run_id, actor_id, action_type, outcome,
    created_at, event)
    SELECT e.organization_id, e.id, e.case_id, e.session_id, e.run_id, e.actor_id, e.action_type, e.outcome,
    e.created_at, e.event FROM audit_pending p JOIN audit_events e ON e.id = p.event_id ORDER BY e.id;
DROP TABLE audit_pending;
DROP TABLE audit_events;
DROP FUNCTION audit_event_waits;
ALTER TABLE audit_waiting RENAME TO audit_pending;
CREATE FUNCTION audit_event_has_its_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM gone g WHERE NOT EXISTS
        (SELECT FROM audit_ledger l WHERE l.event_id = g.event_id AND l.event = g.event)) THEN
        RAISE EXCEPTION 'the audit log is append-only: an event without its place stays';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_pending_append_only BEFORE UPDATE OR TRUNCATE ON audit_pending
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_pending_placed AFTER DELETE ON audit_pending
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION audit_event_has_its_place();

-- While instances are replaced one after the other, one of before may still record events and give places: it finds
-- what it knows, and the database does the rest.
CREATE VIEW audit_events AS
    SELECT event_id AS id, organization_id, case_id, action_type, outcome, event, created_at, session_id, run_id, actor_id
    FROM audit_pending UNION ALL
    SELECT event_id, organization_id, case_id, action_type, outcome, event, created_at, session_id, run_id, actor_id
    FROM audit_ledger;
CREATE FUNCTION audit_event_comes_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_pending (organization_id, event_id, case_id, session_id, run_id, actor_id, action_type, outcome,
        created_at, event) VALUES (NEW.organization_id, NEW.id, NEW.case_id, NEW.session_id, NEW.run_id, NEW.actor_id,
        NEW.action_type, NEW.outcome, NEW.created_at, NEW.event);
    RETURN NEW;
END $$;
CREATE TRIGGER audit_events_come_in INSTEAD OF INSERT ON audit_events
    FOR EACH ROW EXECUTE FUNCTION audit_event_comes_in();
DROP TRIGGER audit_ledger_asked ON audit_ledger;
DROP FUNCTION audit_place_is_asked;
CREATE FUNCTION audit_place_is_filled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT p.action_type, p.outcome, p.actor_id, p.run_id, p.created_at, p.event
        INTO NEW.action_type, NEW.outcome, NEW.actor_id, NEW.run_id, NEW.created_at, NEW.event
        FROM audit_pending p WHERE p.event_id = NEW.event_id;
    RETURN NEW;
END $$;
CREATE TRIGGER audit_ledger_filled BEFORE INSERT ON audit_ledger FOR EACH ROW
    WHEN (NEW.event IS NULL) EXECUTE FUNCTION audit_place_is_filled();
-- @sqlite
-- CREATE TABLE audit_waiting (
--     arrival          INTEGER PRIMARY KEY,
--     organization_id  TEXT NOT NULL CHECK (organization_id <> ''),
--     event_id         TEXT NOT NULL,
--     case_id          TEXT,
--     session_id       TEXT,
--     run_id           TEXT,
--     actor_id         TEXT,
--     action_type      TEXT NOT NULL CHECK (action_type IN ('authz_decision', 'tool_call', 'db_write',
--         'db_read', 'policy_change', 'promotion', 'export', 'override', 'system')),
--     outcome          TEXT NOT NULL CHECK (outcome IN ('allow', 'deny', 'success', 'failure')),
--     created_at       INTEGER NOT NULL,
--     event            TEXT NOT NULL) STRICT;
-- INSERT INTO audit_waiting (organization_id, event_id, case_id, session_id, run_id, actor_id, action_type, outcome,
--     created_at, event)
--     SELECT e.organization_id, e.id, e.case_id, e.session_id, e.run_id, e.actor_id, e.action_type, e.outcome,
--     e.created_at, e.event FROM audit_pending p JOIN audit_events e ON e.id = p.event_id ORDER BY e.id;
-- CREATE TABLE audit_ledger_whole (
--     organization_id  TEXT NOT NULL,
--     seq              INTEGER NOT NULL CHECK (seq >= 0),
--     event_id         TEXT NOT NULL UNIQUE,
--     prev             TEXT NOT NULL,
--     case_id          TEXT,
--     case_seq         INTEGER CHECK (case_seq >= 0),
--     case_prev        TEXT,
--     session_id       TEXT,
--     session_seq      INTEGER CHECK (session_seq >= 0),
--     session_prev     TEXT,
--     clock_regression INTEGER NOT NULL,
--     leaf             TEXT NOT NULL,
--     action_type      TEXT NOT NULL,
--     outcome          TEXT NOT NULL,
--     actor_id         TEXT,
--     run_id           TEXT,
--     created_at       INTEGER NOT NULL,
--     event            TEXT NOT NULL,
--     PRIMARY KEY (organization_id, seq),
--     CHECK ((case_id IS NULL) = (case_seq IS NULL) AND (case_id IS NULL) = (case_prev IS NULL))) STRICT;
-- INSERT INTO audit_ledger_whole SELECT l.organization_id, l.seq, l.event_id, l.prev, l.case_id, l.case_seq, l.case_prev,
--     l.session_id, l.session_seq, l.session_prev, l.clock_regression, l.leaf, l.action_type, l.outcome, l.actor_id,
--     l.run_id, e.created_at, e.event
--     FROM audit_ledger l JOIN audit_events e ON e.id = l.event_id ORDER BY l.organization_id, l.seq;
-- DROP TABLE audit_ledger;
-- DROP TABLE audit_pending;
-- DROP TABLE audit_events;
-- ALTER TABLE audit_ledger_whole RENAME TO audit_ledger;
-- ALTER TABLE audit_waiting RENAME TO audit_pending;
-- CREATE UNIQUE INDEX idx_audit_ledger_case
--     ON audit_ledger (organization_id, case_id, case_seq) WHERE case_id IS NOT NULL;
-- CREATE UNIQUE INDEX idx_audit_ledger_session
--     ON audit_ledger (organization_id, session_id, session_seq) WHERE session_id IS NOT NULL;
-- CREATE INDEX idx_audit_ledger_run ON audit_ledger (organization_id, run_id, event_id)
--     WHERE run_id IS NOT NULL;
-- CREATE INDEX idx_audit_ledger_asked
--     ON audit_ledger (organization_id, event_id, action_type, outcome, actor_id);
-- CREATE TRIGGER audit_ledger_no_update BEFORE UPDATE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_ledger_no_delete BEFORE DELETE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_pending_no_update BEFORE UPDATE ON audit_pending
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_pending_placed BEFORE DELETE ON audit_pending WHEN NOT EXISTS
--     (SELECT 1 FROM audit_ledger l WHERE l.event_id = OLD.event_id AND l.event = OLD.event)
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only: an event without its place stays'); END;
-- @end
