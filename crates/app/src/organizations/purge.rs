//! The end of an organization, for an operator at a terminal: its log is exported and verified, its rows and bytes are
//! removed, its log is removed up to where it was exported, and itself last.
//!
//! INVARIANT: each step can be repeated after a kill. The database refuses to remove what was not exported.

use domain::{
    id::OrganizationId,
    invalid::Invalid,
    limits::{PURGE_BLOBS_MAX, PURGE_ROWS_MAX},
    organization::Organization,
};

use super::state::locked;
use crate::{
    access::{InstallationOperator as _, TerminalOperator},
    audit,
    context::App,
    error::{Error, Result},
    identity::access_changed,
};

/// Whether a purge waits for the end of the grace time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PurgeTime {
    AfterGrace,
    Now,
}

/// How far a purge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PurgeLog {
    /// Nothing was exported yet, or the log has grown since: export it.
    ExportNeeded,
    /// It was exported as it is. Part of it may be removed already.
    Exported,
}

/// Begins to remove the data of an organization that is being deleted, or goes on with it. No caller of it is known from
/// then on. `confirmed` is its name, as the operator typed it.
pub async fn begin_purge(
    app: &App,
    id: &OrganizationId,
    confirmed: &str,
    time: PurgeTime,
) -> Result<Organization> {
    let mut tx = app.db.write().await?;
    let organization = locked(&mut tx, id).await?;
    if confirmed.trim() != organization.name {
        let message = "must be the name of the organization, exactly as it is shown";
        return Err(Invalid::new("confirm", message).into());
    }
    let state = organization.state.clone();
    let state = state.begin_purge(app.now(), time == PurgeTime::Now);
    let state = state.map_err(|refused| Error::Conflict(refused.to_string()))?;
    let live = store::organization_live_sessions(&mut tx, id).await?;
    if live > 0 {
        let message = format!(
            "{live} sessions of the organization are still live; a gateway that runs saves and pauses them within seconds"
        );
        return Err(Error::Conflict(message));
    }
    if state != organization.state {
        store::organization_state_set(&mut tx, id, &state).await?;
        let actor = TerminalOperator.at(id)?;
        audit::record_organization_change(&mut tx, app, &actor, "organization_purge", id).await?;
        tx.commit().await?;
        access_changed(app, id, None);
    }
    Ok(Organization {
        state,
        ..organization
    })
}

/// Puts the log in order, and returns whether it has to be exported.
pub async fn purge_log_state(app: &App, id: &OrganizationId) -> Result<PurgeLog> {
    audit::sign_pending(app, id).await?;
    let mut conn = app.db.read().await?;
    let Some(size) = store::organization_exported(&mut conn, id).await? else {
        return Ok(PurgeLog::ExportNeeded);
    };
    if store::organization_unexported(&mut conn, id, size).await? == 0 {
        return Ok(PurgeLog::Exported);
    }
    if store::organization_log_is_whole(&mut conn, id).await? {
        return Ok(PurgeLog::ExportNeeded);
    }
    Err(Error::Conflict(
        "events were recorded after the log was exported, and part of the log is removed; stop what still records them"
            .to_owned(),
    ))
}

/// Records that the log was exported up to this size, and that the export was verified.
pub async fn record_export(app: &App, id: &OrganizationId, size: u64) -> Result<()> {
    let size = i64::try_from(size).map_err(|_| Error::Internal("a log has no such size"))?;
    let mut tx = app.db.write().await?;
    if !store::organization_exported_set(&mut tx, id, size).await? {
        return Err(Error::NotFound("organization"));
    }
    tx.commit().await?;
    Ok(())
}

/// Removes one batch of rows or bytes beside the log, and returns how many; 0 when none is left.
pub async fn purge_batch(app: &App, id: &OrganizationId) -> Result<u64> {
    let mut tx = app.db.write().await?;
    require_purging(&locked(&mut tx, id).await?)?;
    let removed = store::organization_purge_rows(&mut tx, id, PURGE_ROWS_MAX).await?;
    tx.commit().await?;
    if removed > 0 {
        return Ok(removed);
    }
    // After the rows that name them.
    let blobs = app.blobs.delete_organization(id, PURGE_BLOBS_MAX).await?;
    Ok(u64::try_from(blobs).unwrap_or(u64::MAX))
}

/// Removes one batch of the exported log, and returns how many rows; 0 when none is left.
pub async fn purge_log_batch(app: &App, id: &OrganizationId) -> Result<u64> {
    let mut tx = app.db.write().await?;
    require_purging(&locked(&mut tx, id).await?)?;
    let removed = store::organization_purge_log(&mut tx, id, PURGE_ROWS_MAX).await?;
    tx.commit().await?;
    Ok(removed)
}

/// Removes the organization itself.
pub async fn end_purge(app: &App, id: &OrganizationId) -> Result<()> {
    let mut tx = app.db.write().await?;
    require_purging(&locked(&mut tx, id).await?)?;
    if !store::organization_purge_end(&mut tx, id).await? {
        let message = "the log of the organization is still there; run the purge again";
        return Err(Error::Conflict(message.to_owned()));
    }
    tx.commit().await?;
    tracing::info!(organization_id = %id, "an organization was purged");
    Ok(())
}

fn require_purging(organization: &Organization) -> Result<()> {
    if organization.state.is_purging() {
        return Ok(());
    }
    Err(Error::Conflict(
        "the organization is not being purged".to_owned(),
    ))
}
