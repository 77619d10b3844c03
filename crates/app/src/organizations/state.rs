//! Changes of an organization: its name and its state. What each state allows is decided where callers are authenticated
//! (`identity`).
//!
//! INVARIANT: a state is decided by what was read under the organization's lock, in the transaction that sets it.

use domain::{
    id::OrganizationId,
    invalid::{Invalid, visible_name},
    limits::{NAME_LENGTH_MAX, SUSPENSIONS_READ_MAX},
    organization::{Organization, OrganizationState, StateRefused},
};
use store::Tx;

use super::begin::record_by_admin;
use crate::{
    access::{AuditedActor, InstallationOperator, Owner},
    audit,
    context::App,
    error::{Error, Result},
    identity::access_changed,
};

/// Renames the organization. Its id and its slug stay: links and settings name them.
pub async fn rename(app: &App, actor: &impl AuditedActor, name: &str) -> Result<Organization> {
    visible_name("name", name, NAME_LENGTH_MAX)?;
    let name = name.trim();
    let id = actor.organization_id();
    let mut tx = app.db.write().await?;
    let organization = locked(&mut tx, id).await?;
    if organization.name != name {
        store::organization_rename(&mut tx, id, name).await?;
        audit::record_organization_change(&mut tx, app, actor, "organization_update", id).await?;
        tx.commit().await?;
    }
    Ok(Organization {
        name: name.to_owned(),
        ..organization
    })
}

/// Suspends an organization: from now on it starts nothing and keeps everything. The reason is shown to its members.
pub async fn suspend(
    app: &App,
    operator: &impl InstallationOperator,
    id: &OrganizationId,
    reason: &str,
) -> Result<Organization> {
    OrganizationState::validate_reason(reason)?;
    if operator
        .admin()
        .is_some_and(|admin| admin.organization_id() == id)
    {
        let message = "an admin cannot suspend the own organization, because only another operator could resume it; \
                       `proliferate org suspend` can";
        return Err(Error::Conflict(message.to_owned()));
    }
    let now = app.now();
    change_as_operator(app, operator, id, "organization_suspend", |state| {
        state.suspend(now, reason.trim())
    })
    .await
}

/// Ends the suspension of an organization.
pub async fn resume(
    app: &App,
    operator: &impl InstallationOperator,
    id: &OrganizationId,
) -> Result<Organization> {
    let next = OrganizationState::resume;
    change_as_operator(app, operator, id, "organization_resume", next).await
}

/// Begins the grace time of a deletion. `confirmed` is the name of the organization, as the owner typed it.
pub async fn begin_deletion(app: &App, owner: &Owner, confirmed: &str) -> Result<Organization> {
    delete(app, owner, confirmed).await
}

/// The same for an operator at a terminal.
pub async fn begin_deletion_as_operator(
    app: &App,
    operator: &impl InstallationOperator,
    id: &OrganizationId,
    confirmed: &str,
) -> Result<Organization> {
    delete(app, &operator.at(id)?, confirmed).await
}

async fn delete(app: &App, actor: &impl AuditedActor, confirmed: &str) -> Result<Organization> {
    let now = app.now();
    let name = super::fetch(app, actor.organization_id()).await?.name;
    if confirmed.trim() != name {
        let message = "must be the name of the organization, exactly as it is shown";
        return Err(Invalid::new("confirm", message).into());
    }
    change(app, actor, "organization_deletion_begin", |state| {
        Ok(state.begin_deletion(now))
    })
    .await
}

/// Takes a deletion back: the organization is what it was before. One that is not being deleted stays as it is.
pub async fn cancel_deletion(app: &App, actor: &impl AuditedActor) -> Result<Organization> {
    change(
        app,
        actor,
        "organization_deletion_cancel",
        OrganizationState::cancel_deletion,
    )
    .await
}

async fn change_as_operator(
    app: &App,
    operator: &impl InstallationOperator,
    id: &OrganizationId,
    operation: &'static str,
    next: impl FnOnce(OrganizationState) -> std::result::Result<OrganizationState, StateRefused>,
) -> Result<Organization> {
    let mut tx = app.db.write().await?;
    let (organization, changed) = set(&mut tx, app, &operator.at(id)?, operation, next).await?;
    if changed {
        record_by_admin(&mut tx, app, operator, operation, id).await?;
        tx.commit().await?;
        access_changed(app, id, None);
    }
    Ok(organization)
}

/// Sets the state that `next` makes of the current one, and records it. A change to the same state is none.
async fn change(
    app: &App,
    actor: &impl AuditedActor,
    operation: &'static str,
    next: impl FnOnce(OrganizationState) -> std::result::Result<OrganizationState, StateRefused>,
) -> Result<Organization> {
    let mut tx = app.db.write().await?;
    let (organization, changed) = set(&mut tx, app, actor, operation, next).await?;
    if changed {
        tx.commit().await?;
        access_changed(app, &organization.id, None);
    }
    Ok(organization)
}

/// Returns the organization, and whether its state was changed.
async fn set(
    tx: &mut Tx,
    app: &App,
    actor: &impl AuditedActor,
    operation: &'static str,
    next: impl FnOnce(OrganizationState) -> std::result::Result<OrganizationState, StateRefused>,
) -> Result<(Organization, bool)> {
    let id = actor.organization_id();
    let organization = locked(tx, id).await?;
    let state = next(organization.state.clone());
    let state = state.map_err(|refused| Error::Conflict(refused.to_string()))?;
    if state == organization.state {
        return Ok((organization, false));
    }
    store::organization_state_set(tx, id, &state).await?;
    audit::record_organization_change(tx, app, actor, operation, id).await?;
    Ok((
        Organization {
            state,
            ..organization
        },
        true,
    ))
}

pub(super) async fn locked(tx: &mut Tx, id: &OrganizationId) -> Result<Organization> {
    store::organization_lock(tx, id).await?;
    let found = store::organization_fetch(tx, id).await?;
    found.ok_or(Error::NotFound("organization"))
}

/// Organizations that are suspended or being deleted, whose live sessions are paused.
pub async fn list_inactive(app: &App) -> Result<Vec<OrganizationId>> {
    let mut conn = app.db.read().await?;
    Ok(store::organization_list_inactive(&mut conn, SUSPENSIONS_READ_MAX).await?)
}

/// Why no sandbox of the organization boots, if none does.
pub async fn suspension(app: &App, id: &OrganizationId) -> Result<Option<String>> {
    let organization = super::fetch(app, id).await?;
    let state = Some(organization.state).filter(|state| !state.is_active());
    Ok(state.map(|state| state.to_string()))
}

/// Requires that the organization is active, and stays so until the commit.
pub(crate) async fn require_active(tx: &mut Tx, id: &OrganizationId) -> Result<()> {
    let state = store::organization_hold(tx, id).await?;
    match state.ok_or(Error::NotFound("organization"))? {
        OrganizationState::Active => Ok(()),
        state => Err(Error::OrganizationSuspended(state.to_string())),
    }
}
