-- What can be asked of records stands with their places. An event is written while somebody waits for it, its place
-- for many events at once and while nobody waits: there its way into an index costs little. Only what has its place
-- is ever listed.
-- @postgres
ALTER TABLE audit_ledger ADD COLUMN action_type TEXT;
ALTER TABLE audit_ledger ADD COLUMN outcome TEXT;
ALTER TABLE audit_ledger ADD COLUMN actor_id TEXT;
ALTER TABLE audit_ledger ADD COLUMN run_id TEXT;
ALTER TABLE audit_ledger DISABLE TRIGGER audit_ledger_append_only;
UPDATE audit_ledger l SET action_type = e.action_type, outcome = e.outcome, actor_id = e.actor_id, run_id = e.run_id
    FROM audit_events e WHERE e.id = l.event_id;
ALTER TABLE audit_ledger ENABLE TRIGGER audit_ledger_append_only;
ALTER TABLE audit_ledger ALTER COLUMN action_type SET NOT NULL;
ALTER TABLE audit_ledger ALTER COLUMN outcome SET NOT NULL;
-- While instances are replaced one after the other, one of before may still give places, and knows nothing of this.
CREATE FUNCTION audit_place_is_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT e.action_type, e.outcome, e.actor_id, e.run_id
        INTO NEW.action_type, NEW.outcome, NEW.actor_id, NEW.run_id
        FROM audit_events e WHERE e.id = NEW.event_id;
    RETURN NEW;
END $$;
CREATE TRIGGER audit_ledger_asked BEFORE INSERT ON audit_ledger FOR EACH ROW
    WHEN (NEW.action_type IS NULL) EXECUTE FUNCTION audit_place_is_asked();
-- @sqlite
-- CREATE TABLE audit_ledger_asked (
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
--     PRIMARY KEY (organization_id, seq),
--     CHECK ((case_id IS NULL) = (case_seq IS NULL) AND (case_id IS NULL) = (case_prev IS NULL))) STRICT;
-- INSERT INTO audit_ledger_asked SELECT l.organization_id, l.seq, l.event_id, l.prev, l.case_id, l.case_seq, l.case_prev,
--     l.session_id, l.session_seq, l.session_prev, l.clock_regression, l.leaf, e.action_type, e.outcome, e.actor_id, e.run_id
--     FROM audit_ledger l JOIN audit_events e ON e.id = l.event_id ORDER BY l.organization_id, l.seq;
-- DROP TABLE audit_ledger;
-- ALTER TABLE audit_ledger_asked RENAME TO audit_ledger;
-- CREATE UNIQUE INDEX idx_audit_ledger_case
--     ON audit_ledger (organization_id, case_id, case_seq) WHERE case_id IS NOT NULL;
-- CREATE UNIQUE INDEX idx_audit_ledger_session
--     ON audit_ledger (organization_id, session_id, session_seq) WHERE session_id IS NOT NULL;
-- CREATE TRIGGER audit_ledger_no_update BEFORE UPDATE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- CREATE TRIGGER audit_ledger_no_delete BEFORE DELETE ON audit_ledger
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- @end
DROP INDEX idx_audit_events_run;
DROP INDEX idx_audit_events_asked;
CREATE INDEX idx_audit_ledger_run ON audit_ledger (organization_id, run_id, event_id)
    WHERE run_id IS NOT NULL;
-- Newest first, by what can be asked of records without looking at them.
CREATE INDEX idx_audit_ledger_asked
    ON audit_ledger (organization_id, event_id, action_type, outcome, actor_id);
