//! Invitations. The secrets of their links are never here, only their hashes.

use domain::{
    clock::Timestamp,
    email::EmailAddress,
    id::{InvitationId, OrganizationId, UserId},
    invitation::{Invitation, InvitationState, InvitationStatus},
    mail::MailDelivery,
    page::{Page, PageRequest},
    role::Role,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "i.id, i.organization_id, i.role, i.email, i.created_by, i.created_at, i.expires_at, i.status, i.ended_at, \
         i.ended_by"
    };
}

statements! {
    INVITATION_INSERT = "INSERT INTO invitations (id, organization_id, role, email, created_by, created_at, expires_at,
        status, digest, mail_digest) VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9)";
    INVITATION_FETCH = concat!("SELECT ", columns!(), " FROM invitations i WHERE i.organization_id = $1 AND i.id = $2");
    INVITATION_FETCH_BY_DIGEST = concat!("SELECT ", columns!(), ", i.mail_digest FROM invitations i
        WHERE i.digest = $1 OR i.mail_digest = $1");
    /// An invitation has one mail at most.
    INVITATION_LIST = concat!("SELECT ", columns!(), ", m.status AS mail_status, m.error AS mail_error
        FROM invitations i LEFT JOIN mails m ON m.organization_id = i.organization_id AND m.invitation_id = i.id
        WHERE i.organization_id = $1 AND i.status = 'pending' AND i.id < $2 ORDER BY i.id DESC LIMIT $3");
    INVITATION_COUNT_PENDING = "SELECT COUNT(*) AS n FROM invitations
        WHERE organization_id = $1 AND status = 'pending' AND expires_at > $2";
    INVITATION_ACCEPT = "UPDATE invitations SET status = 'accepted', ended_at = $3, ended_by = $4
        WHERE organization_id = $1 AND id = $2 AND status = 'pending' AND expires_at > $3";
    INVITATION_REVOKE = "UPDATE invitations SET status = 'revoked', ended_at = $3, ended_by = $4
        WHERE organization_id = $1 AND id = $2 AND status = 'pending'";
    INVITATION_REVOKE_OF_CREATOR = "UPDATE invitations SET status = 'revoked', ended_at = $3, ended_by = $4
        WHERE organization_id = $1 AND created_by = $2 AND status = 'pending' AND (role = $5 OR $5 IS NULL)
        RETURNING id";
    INVITATION_FORGET_ADDRESSES = "UPDATE invitations SET email = NULL
        WHERE email = $1 OR (status = 'accepted' AND ended_by = $2)";
    INVITATION_SWEEP = "DELETE FROM invitations WHERE id IN (SELECT id FROM invitations
        WHERE expires_at < $1 OR ended_at < $1 LIMIT $2)";
}

/// An invitation that a code leads to.
#[derive(Debug, Clone)]
pub struct FoundInvitation {
    pub invitation: Invitation,
    /// Whether the code is the one that was mailed to the invitation's address.
    pub is_mailed_code: bool,
}

pub async fn invitation_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: InvitationId,
) -> Result<Option<Invitation>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("invitations", &INVITATION_FETCH, values);
    row.await?.map(|row| invitation(&row)).transpose()
}

pub async fn invitation_fetch_by_digest(
    conn: &mut Conn,
    digest: &str,
) -> Result<Option<FoundInvitation>> {
    let values = values![digest];
    let row = conn.fetch_optional("invitations", &INVITATION_FETCH_BY_DIGEST, values);
    let found = |row: Row| {
        Ok(FoundInvitation {
            invitation: invitation(&row)?,
            is_mailed_code: row.text_opt("mail_digest")?.as_deref() == Some(digest),
        })
    };
    row.await?.map(found).transpose()
}

/// Those that were neither accepted nor revoked, newest first, with the delivery of their mail if they have one.
pub async fn invitation_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<InvitationId>,
) -> Result<Page<(Invitation, Option<MailDelivery>), InvitationId>> {
    let before = crate::session::cursor(page.before.map(InvitationId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("invitations", &INVITATION_LIST, values)
        .await?;
    let listed = |row: &Row| {
        let status = row.parsed_opt("mail_status")?;
        let error = row.text_opt("mail_error")?;
        let delivery = status.map(|status| MailDelivery { status, error });
        Ok((invitation(row)?, delivery))
    };
    let listed = rows.iter().map(listed).collect::<Result<_>>()?;
    Ok(page.page(listed, |(invitation, _): &(Invitation, _)| invitation.id))
}

/// Those that may be accepted.
pub async fn invitation_count_pending(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    now: Timestamp,
) -> Result<i64> {
    let values = values![organization_id, now];
    conn.count("invitations", &INVITATION_COUNT_PENDING, values)
        .await
}

/// `mail_digest` is of the link that is mailed.
pub async fn invitation_insert(
    tx: &mut Tx,
    invitation: &Invitation,
    digest: &str,
    mail_digest: Option<&str>,
) -> Result<()> {
    let values = values![
        invitation.id,
        &invitation.organization_id,
        invitation.role.as_str(),
        invitation.email.as_ref().map(EmailAddress::as_str),
        &invitation.created_by,
        invitation.created_at,
        invitation.expires_at,
        digest,
        mail_digest,
    ];
    tx.execute(&INVITATION_INSERT, values).await?;
    Ok(())
}

/// INVARIANT: `true` once for an invitation, and only while it is pending and has not expired.
pub async fn invitation_accept(
    tx: &mut Tx,
    invitation: &Invitation,
    by: &UserId,
    now: Timestamp,
) -> Result<bool> {
    let values = values![&invitation.organization_id, invitation.id, now, by];
    Ok(tx.execute(&INVITATION_ACCEPT, values).await? == 1)
}

/// `false` if it was accepted or revoked before.
pub async fn invitation_revoke(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: InvitationId,
    by: &UserId,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, now, by];
    Ok(tx.execute(&INVITATION_REVOKE, values).await? == 1)
}

/// Revokes what the member invited and was not accepted yet; only invitations with this role, if one is given.
pub async fn invitation_revoke_of_creator(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    (creator, role): (&UserId, Option<Role>),
    by: &UserId,
    now: Timestamp,
) -> Result<Vec<InvitationId>> {
    let values = values![organization_id, creator, now, by, role.map(Role::as_str)];
    let rows = tx.fetch_all("invitations", &INVITATION_REVOKE_OF_CREATOR, values);
    rows.await?.iter().map(|row| row.id("id")).collect()
}

/// Removes the address of a user from what they were invited by.
pub async fn invitation_forget_addresses(
    tx: &mut Tx,
    email: &str,
    user_id: &UserId,
) -> Result<u64> {
    tx.execute(&INVITATION_FORGET_ADDRESSES, values![email, user_id])
        .await
}

/// Removes invitations that ended or expired before that time.
pub async fn invitation_sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&INVITATION_SWEEP, values![before, i64::from(limit)])
        .await
}

fn invitation(row: &Row) -> Result<Invitation> {
    let status: InvitationStatus = row.parsed("status")?;
    let ended = (
        row.time_opt("ended_at")?,
        row.parsed_opt::<UserId>("ended_by")?,
    );
    let state = match (status, ended) {
        (InvitationStatus::Pending, (None, None)) => InvitationState::Pending,
        (InvitationStatus::Accepted, (Some(at), Some(by))) => InvitationState::Accepted { at, by },
        (InvitationStatus::Revoked, (Some(at), Some(by))) => InvitationState::Revoked { at, by },
        _ => return Err(row.inconsistent("status", "does not agree with its end")),
    };
    Ok(Invitation {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        role: row.parsed("role")?,
        email: row.parsed_opt("email")?,
        created_by: row.parsed("created_by")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        state,
    })
}
