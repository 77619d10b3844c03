//! Invitations: an admin offers a membership by a link that is valid once (`create.rs`); a person accepts it without a
//! credential and is signed in (`accept.rs`).
//!
//! INVARIANT: an address proves nothing but that it was typed. A link that was mailed to an address identifies the user with
//! that address; a link that an admin was shown makes a new user, or is accepted by a user who is signed in.

mod accept;
mod create;
mod find;
mod join;

use domain::{
    id::InvitationId,
    invitation::Invitation,
    limits::{INVITATION_RETENTION, INVITATION_SWEEP_MAX},
    mail::MailDelivery,
    page::{Page, PageRequest},
};

pub use accept::{Acceptance, accept};
pub use create::{CreatedInvitation, NewInvitation, create};
pub use find::{Offer, inspect};

use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// Those that were neither accepted nor revoked, newest first, with the delivery of their mail if they have one.
pub async fn list(
    app: &App,
    admin: &Admin,
    page: PageRequest<InvitationId>,
) -> Result<Page<(Invitation, Option<MailDelivery>), InvitationId>> {
    let mut conn = app.db.read().await?;
    Ok(store::invitation_list(&mut conn, admin.organization_id(), page).await?)
}

/// Revoking a revoked invitation changes nothing and succeeds, so that a retry is safe. An accepted one is a membership.
pub async fn revoke(app: &App, admin: &Admin, id: InvitationId) -> Result<Invitation> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let (by, now) = (admin.user_id(), app.now());
    let revoked = store::invitation_revoke(&mut tx, organization_id, id, by, now).await?;
    let found = store::invitation_fetch(&mut tx, organization_id, id).await?;
    let found = found.ok_or(Error::NotFound("invitation"))?;
    if revoked {
        store::mail_delete_of_invitation(&mut tx, organization_id, id).await?;
        audit::record_operation(&mut tx, app, admin, "invitation_revoke", Some(id.uuid())).await?;
        tx.commit().await?;
    } else if found.status(now) == domain::invitation::InvitationStatus::Accepted {
        let message = "the invitation was accepted; remove the member instead";
        return Err(Error::Conflict(message.to_owned()));
    }
    Ok(found)
}

/// Removes invitations that ended before the retention period, and returns how many.
pub async fn sweep(app: &App) -> Result<u64> {
    let before = app.now().minus(INVITATION_RETENTION);
    let mut tx = app.db.write().await?;
    let removed = store::invitation_sweep(&mut tx, before, INVITATION_SWEEP_MAX).await?;
    tx.commit().await?;
    Ok(removed)
}
