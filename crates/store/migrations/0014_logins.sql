-- People's logins in browsers, one-time codes that begin one, and who they are at services that vouch for them.

CREATE TABLE logins (
    id               UUID PRIMARY KEY,
    -- Whoever reads the table cannot use a login.
    digest           TEXT NOT NULL UNIQUE CHECK (digest <> ''),
    organization_id  TEXT NOT NULL,
    user_id          TEXT NOT NULL,
    method           TEXT NOT NULL CHECK (method IN ('token', 'api_key', 'link', 'oidc')),
    api_key_id       UUID REFERENCES apikey (id) ON DELETE CASCADE,
    created_at       TIMESTAMPTZ NOT NULL,
    seen_at          TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    CHECK ((method = 'api_key') = (api_key_id IS NOT NULL)),
    -- A login dies with the membership it was made under.
    FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_logins_member ON logins (organization_id, user_id, id);
CREATE INDEX idx_logins_end ON logins (expires_at);
CREATE INDEX idx_logins_api_key ON logins (api_key_id) WHERE api_key_id IS NOT NULL;

CREATE TABLE login_codes (
    digest           TEXT PRIMARY KEY CHECK (digest <> ''),
    organization_id  TEXT NOT NULL,
    user_id          TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_login_codes_member ON login_codes (organization_id, user_id);
CREATE INDEX idx_login_codes_end ON login_codes (expires_at);

-- Who a user is elsewhere. An issuer's subject is one user for ever, whatever else it says of them changes.
CREATE TABLE user_identities (
    issuer      TEXT NOT NULL CHECK (issuer <> ''),
    subject     TEXT NOT NULL CHECK (subject <> ''),
    user_id     TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    created_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX idx_user_identities_user ON user_identities (user_id);
