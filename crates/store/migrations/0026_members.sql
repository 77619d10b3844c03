-- expand
-- Invitations, mails that are to be sent, and addresses of users that nothing has proved.

CREATE TABLE invitations (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    role             TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    -- The address that it is for.
    email            TEXT CHECK (email <> ''),
    -- Of the link that its creator was shown, and of the other one that was mailed to the address: only the latter proves
    -- that its user reads the mailbox.
    digest           TEXT NOT NULL UNIQUE CHECK (digest <> ''),
    mail_digest      TEXT UNIQUE CHECK (mail_digest <> ''),
    created_by       TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked')),
    ended_at         TIMESTAMPTZ,
    ended_by         TEXT,
    UNIQUE (organization_id, id),
    CHECK ((status = 'pending') = (ended_at IS NULL)),
    CHECK ((status = 'pending') = (ended_by IS NULL))
);
CREATE INDEX idx_invitations_pending ON invitations (organization_id, id) WHERE status = 'pending';
CREATE INDEX idx_invitations_expiry ON invitations (expires_at);

-- A row is inserted in the transaction of what the mail is about; any process sends it after that.
CREATE TABLE mails (
    id               UUID PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    kind             TEXT NOT NULL CHECK (kind IN ('invitation', 'login_link')),
    invitation_id    UUID,
    recipient        TEXT NOT NULL CHECK (recipient <> ''),
    -- Until it was sent or given up.
    sealed_link      TEXT,
    status           TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'failed')),
    attempts         BIGINT NOT NULL CHECK (attempts >= 0),
    error            TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    -- When its link ends.
    expires_at       TIMESTAMPTZ NOT NULL,
    -- When it is due. A sender claims it by moving this ahead, and loses the claim by dying.
    next_attempt_at  TIMESTAMPTZ,
    ended_at         TIMESTAMPTZ,
    FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations (organization_id, id) ON DELETE CASCADE,
    CHECK ((kind = 'invitation') = (invitation_id IS NOT NULL)),
    CHECK ((status = 'waiting') = (sealed_link IS NOT NULL)),
    CHECK ((status = 'waiting') = (next_attempt_at IS NOT NULL)),
    CHECK ((status = 'waiting') = (ended_at IS NULL)),
    CHECK (status <> 'failed' OR error IS NOT NULL)
);
CREATE INDEX idx_mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX idx_mails_waiting ON mails (organization_id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX idx_mails_invitation ON mails (organization_id, invitation_id) WHERE invitation_id IS NOT NULL;
CREATE INDEX idx_mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;

-- The address that a user gave and nothing proved: it is shown, and identifies no user. `email` has a placeholder then.
ALTER TABLE "user" ADD COLUMN claimed_email TEXT CHECK (claimed_email <> '');
CREATE INDEX idx_user_claimed_email ON "user" (claimed_email) WHERE claimed_email IS NOT NULL;
-- The address that using the code proves, because the code was mailed there.
ALTER TABLE login_codes ADD COLUMN proves_email TEXT CHECK (proves_email <> '');
