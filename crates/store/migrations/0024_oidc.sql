-- expand
-- What a login by an identity provider keeps of it: for ending the provider's session with the login, and the login with
-- the provider's session. It goes with the login.
CREATE TABLE oidc_logins (
    login_id         UUID PRIMARY KEY REFERENCES logins (id) ON DELETE CASCADE,
    -- The provider's name in the settings.
    provider         TEXT NOT NULL CHECK (provider <> ''),
    issuer           TEXT NOT NULL CHECK (issuer <> ''),
    subject          TEXT NOT NULL CHECK (subject <> ''),
    -- Of the provider's name for its session, if it has one.
    sid_digest       TEXT CHECK (sid_digest <> ''),
    end_session_url  TEXT CHECK (end_session_url <> ''),
    sealed_id_token  TEXT CHECK (sealed_id_token <> '')
);
CREATE INDEX idx_oidc_logins_subject ON oidc_logins (issuer, subject);
CREATE INDEX idx_oidc_logins_sid ON oidc_logins (issuer, sid_digest) WHERE sid_digest IS NOT NULL;

-- States of authentication requests and ids of logout tokens that were used, until they would be refused for their age.
CREATE TABLE oidc_used (
    digest      TEXT PRIMARY KEY CHECK (digest <> ''),
    expires_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_oidc_used_end ON oidc_used (expires_at);

-- Members whose role an identity provider manages, by its name in the settings. It goes with the membership.
CREATE TABLE member_role_providers (
    organization_id  TEXT NOT NULL,
    user_id          TEXT NOT NULL,
    provider         TEXT NOT NULL CHECK (provider <> ''),
    PRIMARY KEY (organization_id, user_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);

-- Users who were members of an organization and were removed. A sign-up does not let them in again; an admin who makes them a
-- member again removes the row.
CREATE TABLE former_members (
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id          TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, user_id)
);
