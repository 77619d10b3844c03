-- expand
-- The state of an organization, which of them operates the installation, and the links that make the first one.
ALTER TABLE organization ADD COLUMN operates BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE organization ADD COLUMN suspended_at TIMESTAMPTZ;
ALTER TABLE organization ADD COLUMN suspension_reason TEXT CHECK (suspension_reason <> '')
    CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL));
ALTER TABLE organization ADD COLUMN deletion_requested_at TIMESTAMPTZ;
ALTER TABLE organization ADD COLUMN deletion_due_at TIMESTAMPTZ
    CHECK ((deletion_requested_at IS NULL) = (deletion_due_at IS NULL));
-- No caller of it is known from then on.
ALTER TABLE organization ADD COLUMN purge_begun_at TIMESTAMPTZ
    CHECK (purge_begun_at IS NULL OR deletion_requested_at IS NOT NULL);
ALTER TABLE organization ADD COLUMN status TEXT NOT NULL DEFAULT 'active'
    CHECK (status IN ('active', 'suspended', 'deleting'))
    CHECK ((status = 'deleting') = (deletion_requested_at IS NOT NULL))
    CHECK (status = 'deleting' OR (status = 'suspended') = (suspended_at IS NOT NULL));
-- INVARIANT: one organization operates at most. Of two setups at once, one wins.
CREATE UNIQUE INDEX idx_organization_operates ON organization (operates) WHERE operates;

-- Few are not active; each instance looks for them every few seconds.
CREATE INDEX idx_organization_inactive ON organization (id) WHERE status <> 'active';

CREATE TABLE setup_links (
    digest           TEXT PRIMARY KEY CHECK (digest <> ''),
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL CHECK (expires_at > created_at),
    used_at          TIMESTAMPTZ,
    -- What it made.
    organization_id  TEXT REFERENCES organization (id) ON DELETE CASCADE,
    CHECK ((used_at IS NULL) = (organization_id IS NULL))
);
CREATE INDEX idx_setup_links_created ON setup_links (created_at);
