-- Tokens that are renewed, and people on their way to a service.

-- Who renews the credentials now, and until when nobody else does. Without a name it is a pause after a
-- renewal that failed.
ALTER TABLE integrations ADD COLUMN renewal_by UUID;
ALTER TABLE integrations ADD COLUMN renewal_until TIMESTAMPTZ;

CREATE TABLE connect_attempts (
    -- Keyed digests: whoever reads the table cannot finish an attempt.
    state_digest     TEXT PRIMARY KEY CHECK (state_digest <> ''),
    browser_digest   TEXT NOT NULL CHECK (browser_digest <> ''),
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id          TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    service          TEXT NOT NULL CHECK (service <> ''),
    redirect_uri     TEXT NOT NULL,
    sealed_verifier  TEXT NOT NULL,
    integration_id   UUID,
    installation_id  BIGINT CHECK (installation_id > 0),
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, integration_id)
        REFERENCES integrations (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_connect_attempts_organization ON connect_attempts (organization_id, expires_at);
CREATE INDEX idx_connect_attempts_user ON connect_attempts (user_id);
CREATE INDEX idx_connect_attempts_integration ON connect_attempts (integration_id)
    WHERE integration_id IS NOT NULL;
