//! Finds the invitation of a code, and what it offers.

use domain::{
    invitation::{InvitationStatus, may_invite},
    lease::RateKey,
    limits::{INVITATION_ATTEMPTS_MAX, INVITATION_ATTEMPTS_WINDOW, INVITATION_CODE_LENGTH_MAX},
    login::login_hash,
    organization::Organization,
};
use store::{Conn, FoundInvitation};

use crate::{
    audit,
    context::App,
    error::{Error, Result},
};

/// What an invitation offers to the holder of its link.
#[derive(Debug)]
pub struct Offer {
    pub found: FoundInvitation,
    pub organization: Organization,
}

/// The offer of a code. `client` stands for the client that asks. A code that is not valid any more is refused, and the
/// refusal is in the log of the organization.
pub async fn inspect(app: &App, code: &str, client: u128) -> Result<Offer> {
    let found = find(app, code, client).await?;
    let organization_id = &found.invitation.organization_id;
    let mut conn = app.db.read().await?;
    if let Some(refusal) = refusal(app, &mut conn, &found).await? {
        drop(conn);
        return Err(refuse(app, &found, "invitation_inspect", refusal).await);
    }
    let organization = store::organization_fetch(&mut conn, organization_id).await?;
    let organization = organization.ok_or(Error::NotFound("invitation"))?;
    Ok(Offer {
        found,
        organization,
    })
}

/// The invitation that the code leads to, in whatever state.
pub(super) async fn find(app: &App, code: &str, client: u128) -> Result<FoundInvitation> {
    let key = RateKey::InvitationClient(client);
    let limiter = app.rate_limiter();
    let admission = limiter.check(key, INVITATION_ATTEMPTS_WINDOW, INVITATION_ATTEMPTS_MAX);
    if let coord::Admission::Limited { retry_after, .. } = admission.await {
        return Err(Error::RateLimited {
            message: "too many invitations were tried from this address",
            retry_after,
        });
    }
    if code.len() > INVITATION_CODE_LENGTH_MAX {
        return Err(Error::NotFound("invitation"));
    }
    let mut conn = app.db.read().await?;
    let found = store::invitation_fetch_by_digest(&mut conn, &login_hash(code)).await?;
    found.ok_or(Error::NotFound("invitation"))
}

/// Why the invitation cannot be accepted now.
pub(super) async fn refusal(
    app: &App,
    conn: &mut Conn,
    found: &FoundInvitation,
) -> Result<Option<Error>> {
    let invitation = &found.invitation;
    let gone = |text: &str| Ok(Some(Error::Gone(text.to_owned())));
    match invitation.status(app.now()) {
        InvitationStatus::Pending => {}
        InvitationStatus::Expired => return gone("the invitation has expired"),
        InvitationStatus::Accepted => return gone("the invitation was used"),
        InvitationStatus::Revoked => return gone("the invitation was revoked"),
    }
    // An invitation is no more than what its creator may do now.
    let (organization_id, creator) = (&invitation.organization_id, &invitation.created_by);
    let creator = store::member_fetch(conn, organization_id, creator).await?;
    if creator.is_none_or(|creator| !may_invite(creator.role, invitation.role)) {
        return gone("the invitation is void: its creator may not invite members any more");
    }
    Ok(None)
}

/// Records the refusal in the log of the organization.
pub(super) async fn refuse(
    app: &App,
    found: &FoundInvitation,
    operation: &str,
    error: Error,
) -> Error {
    let why = match &error {
        Error::Gone(_) => (410, "expired"),
        Error::Forbidden(_) => (403, "forbidden"),
        Error::Conflict(_) => (409, "conflict"),
        // Nothing that the organization has to know of.
        _ => return error,
    };
    let invitation = &found.invitation;
    let subject = format!("invitation/{}", invitation.id);
    let operation = (operation, subject);
    audit::record_anonymous_refusal(app, &invitation.organization_id, operation, why).await;
    error.recorded()
}
