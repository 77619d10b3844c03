//! Roles that an identity provider manages: applied at each login, and changed by no admin.
//!
//! INVARIANT: the last owner and the last admin of an organization are not lowered.

use std::collections::BTreeMap;

use domain::{
    id::{OrganizationId, UserId},
    identity_provider::LastOf,
    limits::MEMBERS_SHOWN_MAX,
    role::Role,
};
use store::{Conn, Tx};

use super::Oidc;
use crate::{
    access::{Insider, ProviderActor},
    audit,
    context::App,
    error::Result,
};

/// Gives a member the role that the provider says; returns whether it was another. The organization is locked.
pub(super) async fn apply(
    tx: &mut Tx,
    app: &App,
    actor: &ProviderActor,
    user_id: &UserId,
    (from, to): (Role, Role),
) -> Result<bool> {
    if from == to {
        return Ok(false);
    }
    let organization_id = &actor.organization_id;
    let owners = store::member_count(tx, organization_id, Role::Owner).await?;
    let admins = store::member_count(tx, organization_id, Role::Admin).await?;
    if let Some(last) = LastOf::of(from, to, owners, admins) {
        tracing::warn!(%organization_id, %user_id, provider = actor.provider, reason = last.as_str(),
            "a role of the identity provider was not applied");
        audit::record_role_kept(tx, app, actor, user_id, (from, to), last).await?;
        return Ok(false);
    }
    store::member_upsert(tx, organization_id, user_id, to, app.now()).await?;
    let change = (Some(from), to);
    audit::record_member_change(tx, app, actor, "member_update", user_id, change).await?;
    Ok(true)
}

/// Notes that the provider manages the member's role, or that it does not any more.
pub(super) async fn note_manager(
    tx: &mut Tx,
    oidc: &Oidc,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<()> {
    let noted = store::member_role_provider_fetch(tx, organization_id, user_id).await?;
    let (noted, name) = (noted.as_deref(), oidc.name());
    if oidc.settings().mapping.is_some() {
        if noted != Some(name) {
            store::member_role_provider_set(tx, organization_id, user_id, Some(name)).await?;
        }
    } else if noted == Some(name) {
        store::member_role_provider_set(tx, organization_id, user_id, None).await?;
    }
    Ok(())
}

/// The label of the provider that manages the member's role.
pub async fn managing_provider(
    conn: &mut Conn,
    app: &App,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Option<String>> {
    let noted = store::member_role_provider_fetch(conn, organization_id, user_id).await?;
    Ok(noted.and_then(|name| label(app, &name)))
}

/// The labels of the providers that manage members' roles, by member.
pub async fn managed_roles(app: &App, insider: &Insider) -> Result<BTreeMap<UserId, String>> {
    if app.oidc.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut conn = app.db.read().await?;
    let organization_id = insider.organization_id();
    let noted = store::member_role_provider_list(&mut conn, organization_id, MEMBERS_SHOWN_MAX);
    let noted = noted.await?.into_iter();
    let labelled = noted.filter_map(|(user_id, name)| Some((user_id, label(app, &name)?)));
    Ok(labelled.collect())
}

/// `None` for a provider that is not configured any more, or manages no roles any more.
fn label(app: &App, name: &str) -> Option<String> {
    let oidc = app.oidc.find(Some(name))?;
    let manages = oidc.settings().mapping.is_some();
    manages.then(|| oidc.label().to_owned())
}
