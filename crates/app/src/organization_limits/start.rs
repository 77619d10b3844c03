//! Whether one more session of an organization may start.

use domain::{
    id::{OrganizationId, SessionId},
    organization_limits::{LimitExceeded, LimitKind},
};
use store::Tx;

use crate::error::{Error, Result};

/// Fails if the organization has as many live sessions or sandboxes as it may, without this session. The transaction is
/// the one that makes the session start: another that asks waits for its end.
pub async fn admit_start(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<()> {
    let limits = store::organization_limits_fetch(tx, organization_id).await?;
    let sessions = limits.in_force(LimitKind::LiveSessions);
    let sandboxes = limits.in_force(LimitKind::Sandboxes);
    if sessions.is_none() && sandboxes.is_none() {
        return Ok(());
    }
    store::organization_lock(tx, organization_id).await?;
    let in_use = store::sessions_in_use(tx, organization_id, Some(session_id)).await?;
    let wanted = [
        (sessions, in_use.live_sessions),
        (sandboxes, in_use.sandboxes),
    ];
    for (limit, used) in wanted {
        if let Some(limit) = limit {
            limit
                .check(used, 1)
                .map_err(|exceeded| reached(&exceeded))?;
        }
    }
    Ok(())
}

/// Locks the organization if it has such limits, before the transaction holds it for anything else: two transactions that
/// both hold it would wait for each other when they lock it.
pub(crate) async fn lock_for_start(tx: &mut Tx, organization_id: &OrganizationId) -> Result<()> {
    let limits = store::organization_limits_fetch(tx, organization_id).await?;
    let limited = [LimitKind::LiveSessions, LimitKind::Sandboxes];
    if limited
        .into_iter()
        .any(|kind| limits.in_force(kind).is_some())
    {
        store::organization_lock(tx, organization_id).await?;
    }
    Ok(())
}

pub(super) fn reached(exceeded: &LimitExceeded) -> Error {
    metrics::counter!("proliferate_limit_refusals_total", "limit" => exceeded.limit.kind.as_str())
        .increment(1);
    Error::LimitReached(exceeded.to_string())
}
