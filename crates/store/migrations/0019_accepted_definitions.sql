-- What a tool read like when it was accepted, so that whoever reviews a change sees what has changed. Those that were
-- pinned before have none.
ALTER TABLE connector_tools ADD COLUMN definition JSONB;
