-- What each session of a configuration may spend on its model, unless it has a budget of its own. NULL is the operator's
-- setting.
ALTER TABLE configurations ADD COLUMN budget_micro_usd BIGINT CHECK (budget_micro_usd >= 0);
