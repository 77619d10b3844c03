//! Makes the sandbox of a session that needs one at once.

use std::panic::{AssertUnwindSafe, resume_unwind};

use domain::{news::News, session::Session};
use futures::FutureExt;
use tracing::Instrument;

use super::{ProvisionError, environment, read::fetch_session};
use crate::{context::App, error::Result, news};

/// Makes the sandbox in a task of its own: a client that hangs up, or a request that runs out of
/// time, must not cut the work off half-way and leave a session that starts for ever.
///
/// A failure ends in a `failed` session that keeps its record and its key, so that a retry finds it
/// instead of making a second one.
pub(super) async fn provision(
    app: &App,
    session: Session,
) -> Result<(Session, Option<ProvisionError>)> {
    let (app, starting) = (app.clone(), session.clone());
    let work = async move { provision_to_the_end(&app, starting).await };
    match tokio::spawn(work.in_current_span()).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        // The process is ending; the next sweep finds the session still starting.
        Err(_) => Ok((session, None)),
    }
}

async fn provision_to_the_end(
    app: &App,
    session: Session,
) -> Result<(Session, Option<ProvisionError>)> {
    let environment = environment(app, &session).await?;
    let work = app.provisioner.provision(&session, environment);
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    let outcome = outcome.unwrap_or_else(|_| {
        Err(ProvisionError {
            message: "the sandbox provider failed unexpectedly".to_owned(),
            retryable: false,
        })
    });
    let now = app.now();
    let next = match &outcome {
        Ok(()) => session.state.clone().run(now)?,
        Err(error) => session.state.clone().fail(now, &error.message)?,
    };
    let mut tx = app.db.write().await?;
    let moved = store::session_set_state(&mut tx, &session, &next, now).await?;
    tx.commit().await?;
    news::publish_soon(app, &session.organization_id, News::Session(session.id));
    if let Err(error) = &outcome {
        tracing::warn!(session_id = %session.id, %error, "the sandbox could not be made");
    }
    // A member stopped it meanwhile: that counts.
    let session = match moved {
        Some(session) => session,
        None => fetch_session(app, &session.organization_id, session.id).await?,
    };
    Ok((session, outcome.err()))
}
