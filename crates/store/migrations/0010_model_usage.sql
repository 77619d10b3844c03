-- What sessions have had of their models. One row for a session and a model, counted up; who is charged for what
-- each request was is the provider's book.
CREATE TABLE session_model_usage (
    organization_id    TEXT NOT NULL,
    session_id         UUID NOT NULL,
    -- By the name we have for it.
    model              TEXT NOT NULL CHECK (model <> ''),
    requests           BIGINT NOT NULL CHECK (requests >= 0),
    -- Those of them whose answer was cut off before it said what it cost.
    estimated_requests BIGINT NOT NULL CHECK (estimated_requests >= 0),
    input_tokens       BIGINT NOT NULL CHECK (input_tokens >= 0),
    output_tokens      BIGINT NOT NULL CHECK (output_tokens >= 0),
    cache_read_tokens  BIGINT NOT NULL CHECK (cache_read_tokens >= 0),
    cache_write_tokens BIGINT NOT NULL CHECK (cache_write_tokens >= 0),
    cost_micro_usd     BIGINT NOT NULL CHECK (cost_micro_usd >= 0),
    updated_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, session_id, model),
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE
);

-- What an admin lets a session spend, in the place of the operator's setting. NULL is as much as it wants.
CREATE TABLE session_model_budgets (
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    budget_micro_usd BIGINT CHECK (budget_micro_usd >= 0),
    updated_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, session_id),
    FOREIGN KEY (organization_id, session_id) REFERENCES sessions (organization_id, id) ON DELETE CASCADE
);
