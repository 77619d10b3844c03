-- What each session of the organization may spend on its model, where neither the session nor its configuration has a
-- budget. NULL is the operator's setting.
ALTER TABLE organization ADD COLUMN budget_micro_usd BIGINT CHECK (budget_micro_usd >= 0);
