-- A grant is bound to the definitions that it was given for.

-- How many definitions of connectors' tools the organization has come to know: those that were first seen, and those
-- that an admin accepted. It never goes back, so a grant can keep the number and not each definition: what came later
-- is told by its number.
ALTER TABLE organization ADD COLUMN known_tools BIGINT NOT NULL DEFAULT 0 CHECK (known_tools >= 0);

-- The number of the definition. NULL for what an instance of before adds while instances are replaced one after the
-- other: no grant covers it until an admin has accepted it.
ALTER TABLE connector_tools ADD COLUMN known_as BIGINT;
UPDATE connector_tools SET known_as = 0;
-- What the server says of the tool, where that is not the definition that stands.
ALTER TABLE connector_tools ADD COLUMN changed_sha256 TEXT;

-- The definition of the one tool that the grant names. Grants of before have none: like those with a `*` they cover
-- what was known by now.
ALTER TABLE action_grants ADD COLUMN tool_sha256 TEXT;
-- How many definitions of tools were known when it was given.
ALTER TABLE action_grants ADD COLUMN known_tools BIGINT NOT NULL DEFAULT 0;
-- The built-in actions that the grant names and their digests. NULL covers none.
ALTER TABLE action_grants ADD COLUMN built_in JSONB;
-- Whether the grant was there before this column: the first instance of this release that starts binds it. What an
-- instance of before adds while instances are replaced one after the other is not bound later: it covers no built-in
-- action, and an admin grants it again.
ALTER TABLE action_grants ADD COLUMN to_bind BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE action_grants SET to_bind = TRUE;
CREATE INDEX idx_action_grants_to_bind ON action_grants (integration, action) WHERE to_bind;

-- The grant that would have spared the asking if the action were still defined as it was.
ALTER TABLE action_invocations ADD COLUMN suspended_grant_id UUID;
-- @postgres
-- Not checked for the rows that are there, which have none: the table is large, and is locked meanwhile.
ALTER TABLE action_invocations ADD COLUMN suspended_because TEXT;
ALTER TABLE action_invocations ADD CONSTRAINT action_invocations_suspended_because CHECK (suspended_because IN
    ('tool_definition_changed', 'tool_definition_new', 'action_changed', 'action_new')) NOT VALID;
-- @sqlite
-- ALTER TABLE action_invocations ADD COLUMN suspended_because TEXT CHECK (suspended_because IN
--     ('tool_definition_changed', 'tool_definition_new', 'action_changed', 'action_new'));
-- @end
