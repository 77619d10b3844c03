-- expand
-- Webhooks can receive notices of spend limits, which are about no invocation. SQLite cannot change a constraint, so both
-- tables are made anew there.

-- @postgres
ALTER TABLE webhooks ADD COLUMN on_spend BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_check;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_events_check
    CHECK (on_approval_request OR on_approval_result OR on_completed OR on_spend) NOT VALID;
ALTER TABLE webhook_deliveries ALTER COLUMN invocation_id DROP NOT NULL;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_event_check;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event_check CHECK (event IN ('action_approval_request',
    'action_approval_result', 'action_completed', 'spend_notice')) NOT VALID;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_invocation_check
    CHECK ((event = 'spend_notice') = (invocation_id IS NULL)) NOT VALID;
-- @end

-- @sqlite
-- CREATE TABLE webhooks_with_spend (
--     id                    TEXT PRIMARY KEY,
--     organization_id       TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
--     url                   TEXT NOT NULL CHECK (url <> ''),
--     sealed_secret         TEXT NOT NULL,
--     sealed_secret_before  TEXT,
--     secret_before_until   INTEGER,
--     on_approval_request   INTEGER NOT NULL,
--     on_approval_result    INTEGER NOT NULL,
--     on_completed          INTEGER NOT NULL,
--     enabled               INTEGER NOT NULL,
--     created_by            TEXT,
--     created_at            INTEGER NOT NULL,
--     updated_at            INTEGER NOT NULL,
--     last_success_at       INTEGER,
--     failing_since         INTEGER,
--     failed_attempts       INTEGER NOT NULL CHECK (failed_attempts >= 0),
--     last_error            TEXT,
--     on_spend              INTEGER NOT NULL DEFAULT FALSE,
--     UNIQUE (organization_id, id),
--     CHECK (on_approval_request OR on_approval_result OR on_completed OR on_spend),
--     CHECK ((sealed_secret_before IS NULL) = (secret_before_until IS NULL)),
--     CHECK ((failing_since IS NULL) = (failed_attempts = 0))
-- ) STRICT;
-- INSERT INTO webhooks_with_spend SELECT id, organization_id, url, sealed_secret, sealed_secret_before,
--     secret_before_until, on_approval_request, on_approval_result, on_completed, enabled, created_by, created_at,
--     updated_at, last_success_at, failing_since, failed_attempts, last_error, FALSE FROM webhooks;
-- CREATE TABLE webhook_deliveries_with_spend (
--     id                TEXT NOT NULL,
--     webhook_id        TEXT NOT NULL,
--     organization_id   TEXT NOT NULL,
--     event             TEXT NOT NULL CHECK (event IN ('action_approval_request', 'action_approval_result',
--         'action_completed', 'spend_notice')),
--     invocation_id     TEXT,
--     told              TEXT NOT NULL,
--     status            TEXT NOT NULL CHECK (status IN ('requested', 'retried', 'accepted', 'failed')),
--     attempts          INTEGER NOT NULL CHECK (attempts >= 0),
--     response_status   INTEGER,
--     error             TEXT,
--     created_at        INTEGER NOT NULL,
--     requested_at      INTEGER NOT NULL,
--     last_attempt_at   INTEGER,
--     next_attempt_at   INTEGER,
--     PRIMARY KEY (webhook_id, id),
--     FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks_with_spend (organization_id, id) ON DELETE CASCADE,
--     CHECK ((event = 'spend_notice') = (invocation_id IS NULL)),
--     CHECK ((status IN ('requested', 'retried')) = (next_attempt_at IS NOT NULL)),
--     CHECK (status <> 'accepted' OR response_status IS NOT NULL),
--     CHECK (status <> 'failed' OR error IS NOT NULL)
-- ) STRICT;
-- INSERT INTO webhook_deliveries_with_spend SELECT id, webhook_id, organization_id, event, invocation_id, told, status,
--     attempts, response_status, error, created_at, requested_at, last_attempt_at, next_attempt_at
--     FROM webhook_deliveries;
-- DROP TABLE webhook_deliveries;
-- DROP TABLE webhooks;
-- ALTER TABLE webhooks_with_spend RENAME TO webhooks;
-- ALTER TABLE webhook_deliveries_with_spend RENAME TO webhook_deliveries;
-- CREATE INDEX idx_webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at)
--     WHERE next_attempt_at IS NOT NULL;
-- CREATE INDEX idx_webhook_deliveries_status ON webhook_deliveries (webhook_id, status, id);
-- CREATE INDEX idx_webhook_deliveries_over ON webhook_deliveries (created_at) WHERE next_attempt_at IS NULL;
-- @end
