//! Ends the session of a finished run, once the agent has finished its turn.

use domain::{automation_run::AutomationRun, limits::SESSION_END_GRACE};

use crate::{access::GatewayActor, context::App, error::Result, sessions};

/// Closes the session of `run` in a task of its own; the caller does not wait. A sweep does it if this process dies
/// meanwhile.
pub(super) fn close_soon(app: &App, run: &AutomationRun) {
    let (app, run) = (app.clone(), run.clone());
    tokio::spawn(async move {
        let session = sessions::fetch_session(&app, &run.organization_id, run.session_id).await;
        if let Ok(session) = session {
            app.provisioner.settle(&session, SESSION_END_GRACE).await;
        }
        if let Err(error) = close(&app, &run).await {
            tracing::warn!(%error, run_id = %run.id, "the session of a run that ended is not ended yet");
        }
    });
}

/// Ends the session, unless it has ended by itself. A failed one stays as it is, with its reason.
pub(super) async fn close(app: &App, run: &AutomationRun) -> Result<()> {
    let organization_id = &run.organization_id;
    let session = sessions::fetch_session(app, organization_id, run.session_id).await?;
    if session.state.ended_at().is_none() {
        let reason = format!("its automation run ended: {}", run.state.status());
        let itself = GatewayActor(organization_id.clone());
        sessions::end(app, &itself, session.id, &reason).await?;
    }
    let mut tx = app.db.write().await?;
    store::automation_run_close(&mut tx, organization_id, run.id, app.now()).await?;
    tx.commit().await?;
    Ok(())
}
