//! Mails that are to be sent, and how that ended.
//!
//! INVARIANT: the sealed link is there while the mail waits and no longer.

use domain::{
    clock::Timestamp,
    id::{InvitationId, MailId, OrganizationId},
    mail::{Mail, MailStatus, MailSubject, SettledMail},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    MAIL_INSERT = "INSERT INTO mails (id, organization_id, kind, invitation_id, recipient, sealed_link, status, attempts,
        created_at, expires_at, next_attempt_at) VALUES ($1, $2, $3, $4, $5, $6, 'waiting', 0, $7, $8, $7)";
    MAIL_COUNT_WAITING = "SELECT COUNT(*) AS n FROM mails
        WHERE organization_id = $1 AND next_attempt_at IS NOT NULL";
    MAIL_IS_DUE = "SELECT id FROM mails WHERE next_attempt_at <= $1 LIMIT 1";
    MAIL_LIST_DUE = "SELECT id FROM mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $2",
        pg: " FOR UPDATE SKIP LOCKED";
    MAIL_CLAIM = "UPDATE mails SET next_attempt_at = $3, attempts = attempts + 1
        WHERE id = $1 AND next_attempt_at <= $2
        RETURNING id, organization_id, kind, invitation_id, recipient, sealed_link, attempts, expires_at";
    /// INVARIANT: of several senders, the last one to claim it records how it ended.
    MAIL_SETTLE = "UPDATE mails SET status = $3, error = $4, next_attempt_at = $5, ended_at = $6,
        sealed_link = CASE WHEN $3 = 'waiting' THEN sealed_link ELSE NULL END
        WHERE id = $1 AND attempts = $2 AND status = 'waiting'";
    MAIL_DELETE_OF_INVITATION = "DELETE FROM mails WHERE organization_id = $1 AND invitation_id = $2
        AND status = 'waiting'";
    MAIL_DELETE_OF_RECIPIENT = "DELETE FROM mails WHERE recipient = $1";
    MAIL_SWEEP = "DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE ended_at < $1 LIMIT $2)";
}

/// A mail that a sender has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedMail {
    pub mail: Mail,
    pub sealed_link: String,
}

/// Returns whether a mail is due.
pub async fn mail_is_due(conn: &mut Conn, now: Timestamp) -> Result<bool> {
    let due = conn.fetch_optional("mails", &MAIL_IS_DUE, values![now]);
    Ok(due.await?.is_some())
}

/// Mails of the organization that wait to be sent.
pub async fn mail_count_waiting(conn: &mut Conn, organization_id: &OrganizationId) -> Result<i64> {
    conn.count("mails", &MAIL_COUNT_WAITING, values![organization_id])
        .await
}

/// It is due at once.
pub async fn mail_insert(
    tx: &mut Tx,
    mail: &Mail,
    sealed_link: &str,
    now: Timestamp,
) -> Result<()> {
    let (kind, invitation_id): (_, Option<InvitationId>) = match mail.subject {
        MailSubject::Invitation(id) => (INVITATION, Some(id)),
        MailSubject::LoginLink => (LOGIN_LINK, None),
    };
    let values = values![
        mail.id,
        &mail.organization_id,
        kind,
        invitation_id,
        mail.recipient.as_str(),
        sealed_link,
        now,
        mail.expires_at,
    ];
    tx.execute(&MAIL_INSERT, values).await?;
    Ok(())
}

/// Takes what is due until then, the oldest first.
pub async fn mail_claim(
    tx: &mut Tx,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<ClaimedMail>> {
    let values = values![now, i64::from(limit)];
    let due = tx.fetch_all("mails", &MAIL_LIST_DUE, values).await?;
    let mut claimed = Vec::with_capacity(due.len());
    for row in due {
        let values = values![row.id::<MailId>("id")?, now, until];
        if let Some(row) = tx.fetch_optional("mails", &MAIL_CLAIM, values).await? {
            claimed.push(claimed_mail(&row)?);
        }
    }
    Ok(claimed)
}

/// Records how the attempt ended. `false` if another sender has claimed the mail since.
pub async fn mail_settle(
    tx: &mut Tx,
    mail: &Mail,
    settled: &SettledMail,
    now: Timestamp,
) -> Result<bool> {
    let (status, error, next, ended) = match settled {
        SettledMail::Sent => (MailStatus::Sent, None, None, Some(now)),
        SettledMail::Waiting { at, error } => (MailStatus::Waiting, Some(error), Some(*at), None),
        SettledMail::Failed { error } => (MailStatus::Failed, Some(error), None, Some(now)),
    };
    let attempts = i64::from(mail.attempts);
    let values = values![mail.id, attempts, status.as_str(), error, next, ended];
    Ok(tx.execute(&MAIL_SETTLE, values).await? == 1)
}

/// Removes the mail of an invitation, if it was not sent yet.
pub async fn mail_delete_of_invitation(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: InvitationId,
) -> Result<u64> {
    tx.execute(&MAIL_DELETE_OF_INVITATION, values![organization_id, id])
        .await
}

/// Removes the mails to an address.
pub async fn mail_delete_of_recipient(tx: &mut Tx, recipient: &str) -> Result<u64> {
    tx.execute(&MAIL_DELETE_OF_RECIPIENT, values![recipient])
        .await
}

/// Removes mails that were sent or given up before that time.
pub async fn mail_sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&MAIL_SWEEP, values![before, i64::from(limit)])
        .await
}

const INVITATION: &str = "invitation";
const LOGIN_LINK: &str = "login_link";

fn claimed_mail(row: &Row) -> Result<ClaimedMail> {
    let subject = match (row.text("kind")?.as_str(), row.id_opt("invitation_id")?) {
        (INVITATION, Some(id)) => MailSubject::Invitation(id),
        (LOGIN_LINK, None) => MailSubject::LoginLink,
        _ => return Err(row.inconsistent("kind", "does not agree with its invitation")),
    };
    Ok(ClaimedMail {
        mail: Mail {
            id: row.id("id")?,
            organization_id: row.parsed("organization_id")?,
            recipient: row.parsed("recipient")?,
            subject,
            attempts: u32::try_from(row.int("attempts")?).unwrap_or(u32::MAX),
            expires_at: row.time("expires_at")?,
        },
        sealed_link: row.text("sealed_link")?,
    })
}
