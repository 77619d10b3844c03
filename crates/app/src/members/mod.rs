//! Members of an organization: who they are, and what they may do.
//!
//! INVARIANT: an organization that has an admin, or a member with the role `owner`, keeps one. Changes of one
//! organization's members are made one after another, so that two of them cannot each rely on the other.

mod remove;

use domain::{
    id::{OrganizationId, UserId},
    limits::MEMBERS_SHOWN_MAX,
    organization::{Member, User},
    role::Role,
};
use store::Tx;

pub use remove::{Removal, RemovedMember, remove};

use crate::{
    access::{Admin, AuditedActor, Insider},
    audit,
    context::App,
    error::{Error, Result},
    identity::{access_changed, oidc},
};

/// Members by name, as many as are shown, and whether there are more.
pub async fn list(app: &App, insider: &Insider) -> Result<(Vec<(Member, User)>, bool)> {
    let mut conn = app.db.read().await?;
    let organization_id = insider.organization_id();
    let mut members = store::member_list(&mut conn, organization_id, MEMBERS_SHOWN_MAX + 1).await?;
    let shown = usize::try_from(MEMBERS_SHOWN_MAX).unwrap_or(usize::MAX);
    let has_more = members.len() > shown;
    members.truncate(shown);
    Ok((members, has_more))
}

/// Sets the role of a member. Only a member with the role `owner` gives or takes that role.
pub async fn set_role(
    app: &App,
    admin: &Admin,
    user_id: &UserId,
    role: Role,
) -> Result<(Member, User)> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    store::organization_lock(&mut tx, organization_id).await?;
    let found = store::member_fetch(&mut tx, organization_id, user_id).await?;
    let found = found.ok_or(Error::NotFound("member"))?;
    let user = store::user_fetch(&mut tx, user_id).await?;
    let user = user.ok_or(Error::NotFound("member"))?;
    if found.role == role {
        return Ok((found, user));
    }
    let manager = oidc::managing_provider(&mut tx, app, organization_id, user_id).await?;
    if let Some(label) = manager {
        return Err(Error::Conflict(format!(
            "the role is managed by the identity provider `{label}`; change the member's groups there"
        )));
    }
    // As it is now, not as it was when the request came.
    let acting = store::member_fetch(&mut tx, organization_id, admin.user_id()).await?;
    let acting = acting.map(|member| member.role);
    if !acting.is_some_and(Role::is_admin) {
        return Err(Error::Forbidden("only an admin or owner may do this"));
    }
    let concerns_owner = found.role == Role::Owner || role == Role::Owner;
    if concerns_owner && acting != Some(Role::Owner) {
        return Err(Error::Forbidden(
            "only an owner may give a member the role `owner` or change the role of an owner",
        ));
    }
    check_others(&mut tx, organization_id, found.role, Some(role)).await?;
    store::member_upsert(&mut tx, organization_id, user_id, role, app.now()).await?;
    let by = (admin, admin.user_id());
    revoke_invitations(&mut tx, app, by, user_id, Some(role)).await?;
    let change = (Some(found.role), role);
    audit::record_member_change(&mut tx, app, admin, "member_update", user_id, change).await?;
    tx.commit().await?;
    access_changed(app, organization_id, Some(user_id));
    Ok((Member { role, ..found }, user))
}

/// The last owner, and the last admin, keep the role. `to` is the new role of the member; `None` ends the membership.
async fn check_others(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    from: Role,
    to: Option<Role>,
) -> Result<()> {
    let owners = store::member_count(tx, organization_id, Role::Owner).await?;
    let admins = store::member_count(tx, organization_id, Role::Admin).await? + owners;
    if from == Role::Owner && to != Some(Role::Owner) && owners < 2 {
        let message = "it is the last owner; make another member an owner first";
        return Err(Error::Conflict(message.to_owned()));
    }
    if from.is_admin() && !to.is_some_and(Role::is_admin) && admins < 2 {
        let message = "it is the last admin; make another member an admin first";
        return Err(Error::Conflict(message.to_owned()));
    }
    Ok(())
}

/// Revokes the pending invitations of a member that the member may not make with the new role, or without one.
async fn revoke_invitations(
    tx: &mut Tx,
    app: &App,
    (who, by): (&impl AuditedActor, &UserId),
    creator: &UserId,
    role: Option<Role>,
) -> Result<()> {
    let organization_id = who.organization_id().clone();
    let void = match role {
        Some(Role::Owner) => return Ok(()),
        Some(Role::Admin) => Some(Role::Owner),
        Some(Role::Member) | None => None,
    };
    let now = app.now();
    let revoked =
        store::invitation_revoke_of_creator(tx, &organization_id, (creator, void), by, now);
    for id in revoked.await? {
        store::mail_delete_of_invitation(tx, &organization_id, id).await?;
        audit::record_operation(tx, app, who, "invitation_revoke", Some(id.uuid())).await?;
    }
    Ok(())
}
