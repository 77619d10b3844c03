-- Tenants, people, keys, configurations, integrations, sessions, secrets.
--
-- Written in PostgreSQL's dialect; the text for SQLite is derived (src/migrations.rs).
-- Every row below an organization carries `organization_id`, and references between such rows carry
-- it too: a row of one tenant cannot point at a row of another, whatever the code above does.

CREATE TABLE organization (
    id          TEXT PRIMARY KEY CHECK (id <> ''),
    name        TEXT NOT NULL,
    slug        TEXT NOT NULL UNIQUE,
    created_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE "user" (
    id          TEXT PRIMARY KEY CHECK (id <> ''),
    name        TEXT NOT NULL,
    email       TEXT NOT NULL UNIQUE,
    created_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE member (
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id          TEXT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    role             TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);
-- Which organization a person's request is for, when it does not say: the first one joined.
CREATE INDEX idx_member_user ON member (user_id, created_at, organization_id);

CREATE TABLE apikey (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    user_id          TEXT NOT NULL,
    name             TEXT NOT NULL,
    prefix           TEXT NOT NULL,
    key_hash         TEXT NOT NULL UNIQUE,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ,
    revoked_at       TIMESTAMPTZ,
    -- A key dies with the membership it was made under.
    FOREIGN KEY (organization_id, user_id) REFERENCES member (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_apikey_organization ON apikey (organization_id, id);

CREATE TABLE repos (
    id                UUID PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    name              TEXT NOT NULL,
    url               TEXT,
    default_branch    TEXT NOT NULL,
    source            TEXT NOT NULL CHECK (source IN ('github', 'git', 'local')),
    service_commands  JSONB NOT NULL,
    is_orphaned       BOOLEAN NOT NULL,
    created_by        TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, id),
    UNIQUE (organization_id, name),
    CHECK (source = 'local' OR url IS NOT NULL)
);

CREATE TABLE configurations (
    id                UUID PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    name              TEXT NOT NULL,
    notes             TEXT,
    type              TEXT NOT NULL CHECK (type IN ('manual', 'managed', 'cli')),
    status            TEXT NOT NULL CHECK (status IN ('pending', 'building', 'default', 'ready', 'failed')),
    error             TEXT,
    snapshot_id       TEXT,
    service_commands  JSONB NOT NULL,
    env_files         JSONB NOT NULL,
    connectors        JSONB NOT NULL,
    user_id           TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    local_path_hash   TEXT,
    managed_key       TEXT,
    created_by        TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, id),
    CHECK ((type = 'cli') = (local_path_hash IS NOT NULL)),
    CHECK ((type = 'managed') = (managed_key IS NOT NULL))
);
-- One configuration per folder of a person, and one per set of repositories.
CREATE UNIQUE INDEX idx_configurations_local_path
    ON configurations (organization_id, user_id, local_path_hash) WHERE local_path_hash IS NOT NULL;
CREATE UNIQUE INDEX idx_configurations_managed
    ON configurations (organization_id, managed_key) WHERE managed_key IS NOT NULL;

CREATE TABLE configuration_repos (
    organization_id   TEXT NOT NULL,
    configuration_id  UUID NOT NULL,
    repo_id           UUID NOT NULL,
    workspace_path    TEXT NOT NULL,
    PRIMARY KEY (configuration_id, repo_id),
    FOREIGN KEY (organization_id, configuration_id)
        REFERENCES configurations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, repo_id)
        REFERENCES repos (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_configuration_repos_repo ON configuration_repos (repo_id);

CREATE TABLE integrations (
    id                  UUID PRIMARY KEY,
    organization_id     TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    provider            TEXT NOT NULL CHECK (provider IN ('static', 'oauth2', 'github-app')),
    integration_id      TEXT NOT NULL,
    display_name        TEXT NOT NULL,
    scopes              JSONB NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('active', 'expired', 'revoked', 'suspended')),
    sealed_credentials  TEXT NOT NULL,
    created_by          TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at          TIMESTAMPTZ NOT NULL,
    updated_at          TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, id)
);

CREATE TABLE sessions (
    id                       UUID PRIMARY KEY,
    organization_id          TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    created_by               TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    configuration_id         UUID,
    session_type             TEXT NOT NULL CHECK (session_type IN ('setup', 'coding', 'automation', 'cli')),
    client_type              TEXT NOT NULL CHECK (client_type IN ('web', 'slack', 'cli', 'automation')),
    client_metadata          JSONB,
    agent_config             JSONB NOT NULL,
    system_prompt            TEXT,
    initial_prompt           TEXT,
    initial_prompt_sent_at   TIMESTAMPTZ,
    title                    TEXT,
    ssh_public_keys          JSONB NOT NULL,
    integration_warnings     JSONB NOT NULL,
    -- The sandbox; written by the session's owner.
    sandbox_id               TEXT,
    sandbox_provider         TEXT,
    sandbox_expires_at       TIMESTAMPTZ,
    snapshot_id              TEXT,
    open_code_tunnel_url     TEXT,
    preview_tunnel_url       TEXT,
    coding_agent_session_id  TEXT,
    -- Where it stands; domain::session::SessionState says which of these belong to which status.
    status                   TEXT NOT NULL CHECK
        (status IN ('pending', 'starting', 'running', 'paused', 'stopped', 'failed')),
    starting_since           TIMESTAMPTZ,
    started_at               TIMESTAMPTZ,
    paused_at                TIMESTAMPTZ,
    pause_reason             TEXT,
    ended_at                 TIMESTAMPTZ,
    stop_reason              TEXT,
    owner_epoch              BIGINT NOT NULL CHECK (owner_epoch >= 0),
    incarnation              BIGINT NOT NULL CHECK (incarnation >= 0),
    idempotency_key          TEXT,
    request_digest           TEXT,
    created_at               TIMESTAMPTZ NOT NULL,
    updated_at               TIMESTAMPTZ NOT NULL,
    last_activity_at         TIMESTAMPTZ NOT NULL,
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, configuration_id)
        REFERENCES configurations (organization_id, id) ON DELETE CASCADE,
    CHECK (session_type <> 'setup' OR configuration_id IS NOT NULL),
    CHECK ((idempotency_key IS NULL) = (request_digest IS NULL)),
    CHECK ((status = 'starting') = (starting_since IS NOT NULL)),
    CHECK ((status = 'paused') = (paused_at IS NOT NULL AND pause_reason IS NOT NULL)),
    CHECK ((status IN ('stopped', 'failed')) = (ended_at IS NOT NULL AND stop_reason IS NOT NULL)),
    CHECK (status NOT IN ('running', 'paused') OR started_at IS NOT NULL)
);
-- A session is created exactly once per key.
CREATE UNIQUE INDEX idx_sessions_idempotency
    ON sessions (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX idx_sessions_organization_status ON sessions (organization_id, status, id);
CREATE INDEX idx_sessions_configuration ON sessions (configuration_id) WHERE configuration_id IS NOT NULL;
-- Sessions whose maker died while they were starting.
CREATE INDEX idx_sessions_starting ON sessions (starting_since) WHERE starting_since IS NOT NULL;

CREATE TABLE session_connections (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL,
    session_id       UUID NOT NULL,
    integration_id   UUID NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    UNIQUE (session_id, integration_id),
    FOREIGN KEY (organization_id, session_id)
        REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, integration_id)
        REFERENCES integrations (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX idx_session_connections_integration ON session_connections (integration_id);

CREATE TABLE secrets (
    id                UUID PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    repo_id           UUID,
    configuration_id  UUID,
    session_id        UUID,
    key               TEXT NOT NULL CHECK (key <> ''),
    sealed_value      TEXT NOT NULL,
    description       TEXT,
    created_by        TEXT REFERENCES "user" (id) ON DELETE SET NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (organization_id, repo_id) REFERENCES repos (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, configuration_id)
        REFERENCES configurations (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, session_id)
        REFERENCES sessions (organization_id, id) ON DELETE CASCADE,
    -- One scope at most; none means the organization.
    CHECK (
        (CASE WHEN repo_id IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN configuration_id IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN session_id IS NULL THEN 0 ELSE 1 END) <= 1
    )
);
-- One value per key and scope. Four indexes, because a NULL is never equal to another NULL.
CREATE UNIQUE INDEX idx_secrets_organization ON secrets (organization_id, key)
    WHERE repo_id IS NULL AND configuration_id IS NULL AND session_id IS NULL;
CREATE UNIQUE INDEX idx_secrets_repo ON secrets (organization_id, repo_id, key)
    WHERE repo_id IS NOT NULL;
CREATE UNIQUE INDEX idx_secrets_configuration ON secrets (organization_id, configuration_id, key)
    WHERE configuration_id IS NOT NULL;
CREATE UNIQUE INDEX idx_secrets_session ON secrets (organization_id, session_id, key)
    WHERE session_id IS NOT NULL;
