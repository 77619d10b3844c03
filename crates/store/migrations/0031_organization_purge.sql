-- expand
-- The one exception to the append-only log: an operator's purge removes the log of an organization that is being deleted,
-- up to the checkpoint at which it was exported and verified. All else is refused as before.
ALTER TABLE organization ADD COLUMN exported_size BIGINT CHECK (exported_size >= 0)
    CHECK (exported_size IS NULL OR purge_begun_at IS NOT NULL);

-- @postgres
CREATE FUNCTION audit_row_is_exported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM organization o JOIN audit_checkpoints c
        ON c.organization_id = o.id AND c.size = o.exported_size
        WHERE o.id = OLD.organization_id AND o.status = 'deleting' AND o.purge_begun_at IS NOT NULL
        AND COALESCE((to_jsonb(OLD) ->> 'seq')::BIGINT, -1) < o.exported_size) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- Checkpoints are what the exported log is verified with: they go last.
CREATE FUNCTION audit_checkpoint_is_exported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM organization o WHERE o.id = OLD.organization_id AND o.status = 'deleting'
        AND o.purge_begun_at IS NOT NULL AND OLD.size <= o.exported_size)
        AND NOT EXISTS (SELECT FROM audit_ledger l WHERE l.organization_id = OLD.organization_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
DROP TRIGGER audit_ledger_append_only ON audit_ledger;
CREATE TRIGGER audit_ledger_append_only BEFORE UPDATE OR TRUNCATE ON audit_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_ledger_exported BEFORE DELETE ON audit_ledger
    FOR EACH ROW EXECUTE FUNCTION audit_row_is_exported();
DROP TRIGGER audit_nodes_append_only ON audit_nodes;
CREATE TRIGGER audit_nodes_append_only BEFORE UPDATE OR TRUNCATE ON audit_nodes
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_nodes_exported BEFORE DELETE ON audit_nodes
    FOR EACH ROW EXECUTE FUNCTION audit_row_is_exported();
DROP TRIGGER audit_checkpoints_append_only ON audit_checkpoints;
CREATE TRIGGER audit_checkpoints_append_only BEFORE UPDATE OR TRUNCATE ON audit_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_checkpoints_exported BEFORE DELETE ON audit_checkpoints
    FOR EACH ROW EXECUTE FUNCTION audit_checkpoint_is_exported();
-- @sqlite
-- DROP TRIGGER audit_ledger_no_delete;
-- CREATE TRIGGER audit_ledger_no_delete BEFORE DELETE ON audit_ledger WHEN NOT EXISTS
--     (SELECT 1 FROM organization o JOIN audit_checkpoints c ON c.organization_id = o.id AND c.size = o.exported_size
--     WHERE o.id = OLD.organization_id AND o.status = 'deleting' AND o.purge_begun_at IS NOT NULL
--     AND OLD.seq < o.exported_size)
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- DROP TRIGGER audit_nodes_no_delete;
-- CREATE TRIGGER audit_nodes_no_delete BEFORE DELETE ON audit_nodes WHEN NOT EXISTS
--     (SELECT 1 FROM organization o JOIN audit_checkpoints c ON c.organization_id = o.id AND c.size = o.exported_size
--     WHERE o.id = OLD.organization_id AND o.status = 'deleting' AND o.purge_begun_at IS NOT NULL)
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- DROP TRIGGER audit_checkpoints_no_delete;
-- CREATE TRIGGER audit_checkpoints_no_delete BEFORE DELETE ON audit_checkpoints WHEN NOT EXISTS
--     (SELECT 1 FROM organization o WHERE o.id = OLD.organization_id AND o.status = 'deleting'
--     AND o.purge_begun_at IS NOT NULL AND OLD.size <= o.exported_size
--     AND NOT EXISTS (SELECT 1 FROM audit_ledger l WHERE l.organization_id = OLD.organization_id))
--     BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- @end
