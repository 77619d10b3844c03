-- Webhooks: where an organization is told of what happens to its actions, and whether it was heard.

CREATE TABLE webhooks (
    id                    UUID PRIMARY KEY,
    organization_id       TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    url                   TEXT NOT NULL CHECK (url <> ''),
    -- What deliveries are signed with, and for a while the one before it.
    sealed_secret         TEXT NOT NULL,
    sealed_secret_before  TEXT,
    secret_before_until   TIMESTAMPTZ,
    on_approval_request   BOOLEAN NOT NULL,
    on_approval_result    BOOLEAN NOT NULL,
    on_completed          BOOLEAN NOT NULL,
    enabled               BOOLEAN NOT NULL,
    created_by            TEXT,
    created_at            TIMESTAMPTZ NOT NULL,
    updated_at            TIMESTAMPTZ NOT NULL,
    last_success_at       TIMESTAMPTZ,
    failing_since         TIMESTAMPTZ,
    failed_attempts       BIGINT NOT NULL CHECK (failed_attempts >= 0),
    last_error            TEXT,
    -- By it, whoever has something to tell finds who wants to hear it.
    UNIQUE (organization_id, id),
    CHECK (on_approval_request OR on_approval_result OR on_completed),
    CHECK ((sealed_secret_before IS NULL) = (secret_before_until IS NULL)),
    CHECK ((failing_since IS NULL) = (failed_attempts = 0))
);

-- One thing to tell one receiver.
CREATE TABLE webhook_deliveries (
    -- Everybody is told the same thing under the same id.
    id                UUID NOT NULL,
    webhook_id        UUID NOT NULL,
    organization_id   TEXT NOT NULL,
    event             TEXT NOT NULL CHECK (event IN ('action_approval_request', 'action_approval_result',
        'action_completed')),
    -- Without a reference: what was told stays on record when a session is gone.
    invocation_id     UUID NOT NULL,
    -- What of the message the invocation may no longer say when it is sent.
    told              JSONB NOT NULL,
    status            TEXT NOT NULL CHECK (status IN ('requested', 'retried', 'accepted', 'failed')),
    attempts          BIGINT NOT NULL CHECK (attempts >= 0),
    response_status   BIGINT,
    error             TEXT,
    created_at        TIMESTAMPTZ NOT NULL,
    -- When it was asked for last: at first, or to be sent once more.
    requested_at      TIMESTAMPTZ NOT NULL,
    last_attempt_at   TIMESTAMPTZ,
    -- When it is due. A sender takes it by moving this ahead, and gives it back by dying.
    next_attempt_at   TIMESTAMPTZ,
    PRIMARY KEY (webhook_id, id),
    FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks (organization_id, id) ON DELETE CASCADE,
    CHECK ((status IN ('requested', 'retried')) = (next_attempt_at IS NOT NULL)),
    CHECK (status <> 'accepted' OR response_status IS NOT NULL),
    CHECK (status <> 'failed' OR error IS NOT NULL)
);
CREATE INDEX idx_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
CREATE INDEX idx_webhook_deliveries_status ON webhook_deliveries (webhook_id, status, id);
CREATE INDEX idx_webhook_deliveries_over ON webhook_deliveries (created_at) WHERE next_attempt_at IS NULL;
