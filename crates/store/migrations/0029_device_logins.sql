-- expand
-- Logins of terminals that wait for a member, or for the key to be fetched. A row is deleted when the key is made, and
-- swept when its time is over.
CREATE TABLE device_logins (
    id                UUID PRIMARY KEY,
    -- Digests: a reader of the table can neither fetch a key nor approve a login.
    device_digest     TEXT NOT NULL UNIQUE CHECK (device_digest <> ''),
    user_code_digest  TEXT NOT NULL UNIQUE CHECK (user_code_digest <> ''),
    machine           TEXT NOT NULL CHECK (machine <> ''),
    client            TEXT NOT NULL CHECK (client <> ''),
    status            TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied')),
    -- Of the member who approved. The login ends with the membership.
    organization_id   TEXT,
    user_id           TEXT,
    created_at        TIMESTAMPTZ NOT NULL,
    expires_at        TIMESTAMPTZ NOT NULL,
    polled_at         TIMESTAMPTZ,
    CHECK ((status = 'approved') = (organization_id IS NOT NULL)),
    CHECK ((status = 'approved') = (user_id IS NOT NULL)),
    FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_device_logins_client ON device_logins (client);
CREATE INDEX idx_device_logins_end ON device_logins (expires_at);
CREATE INDEX idx_device_logins_member ON device_logins (organization_id, user_id) WHERE user_id IS NOT NULL;
