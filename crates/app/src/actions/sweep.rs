//! Ends invocations that no admin will decide any more: they expired, or their session is over.

use domain::{
    action::{Invocation, InvocationState, Refusal},
    id::{OrganizationId, SessionId},
    limits::{ACTION_SWEEP_BATCH_MAX, NOTICES_PENDING_MAX},
};
use serde_json::Value;
use store::InvocationRecord;

use crate::{
    context::App,
    error::{Error, Result},
    mediation, notices,
};

/// Ends what is overdue, of any organization, and says how many. Harmless on two instances at once.
pub async fn expire(app: &App) -> Result<usize> {
    let overdue = {
        let mut conn = app.db.read().await?;
        store::invocation_overdue_list(&mut conn, app.now(), ACTION_SWEEP_BATCH_MAX).await?
    };
    let mut ended = 0;
    for invocation in overdue {
        if let Ok(state) = invocation.state.clone().expire(app.now()) {
            ended += usize::from(close_one(app, invocation, state).await?);
        }
    }
    Ok(ended)
}

/// Ends what waits for a person in a session that is over.
pub(crate) async fn end_with_session(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<()> {
    let waiting = {
        let mut conn = app.db.read().await?;
        let limit = NOTICES_PENDING_MAX;
        store::invocation_pending_list(&mut conn, organization_id, session_id, app.now(), limit)
            .await?
    };
    for InvocationRecord { invocation, .. } in waiting {
        let state = invocation.state.clone();
        if let Ok(state) = state.refuse(Refusal::SessionEnded, app.now()) {
            close_one(app, invocation, state).await?;
        }
    }
    Ok(())
}

async fn close_one(app: &App, invocation: Invocation, state: InvocationState) -> Result<bool> {
    let mut tx = app.db.write().await?;
    match mediation::end_held(app, &mut tx, &invocation, state.clone()).await {
        Ok(true) => {
            let record = InvocationRecord {
                invocation: Invocation {
                    state,
                    ..invocation
                },
                params: Value::Null,
                result: None,
            };
            notices::commit(app, tx, Some(record)).await?;
            Ok(true)
        }
        // An admin decided at the last moment, or another instance swept too.
        Ok(false) | Err(Error::Conflict(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
