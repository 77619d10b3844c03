//! What becomes of a session's sandbox when the session leaves this process.

use crate::{
    peers::HandoffTarget,
    session_sandbox::{SaveError, SessionSandbox, retry_later},
};

/// How a session leaves this process.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Departure {
    /// The sandbox keeps running: the next owner finds it.
    #[default]
    LeaveRunning,
    /// The sandbox keeps running, and that instance is asked to take the session.
    HandOver(HandoffTarget),
    /// The sandbox is saved and destroyed, and the session is paused. A sandbox that cannot be saved keeps running.
    SaveAndPause(&'static str),
    /// Like `SaveAndPause`, but a session that cannot be saved is marked as failed.
    Evict(&'static str),
}

/// Does to the sandbox what its session's departure asks for.
pub(super) async fn settle_sandbox(departure: Departure, sandbox: &SessionSandbox) {
    match departure {
        Departure::LeaveRunning | Departure::HandOver(_) => {}
        Departure::SaveAndPause(reason) => _ = save_and_pause(sandbox, reason).await,
        Departure::Evict(reason) => match save_and_pause(sandbox, reason).await {
            // A session that was stopped meanwhile has not failed.
            Ok(()) | Err(SaveError::Stopped) => {}
            Err(error) => {
                let reason = format!(
                    "its sandbox could not be saved and was left as it is ({error}); open the session to go on with it"
                );
                sandbox.record().mark_save_failed(&reason).await;
            }
        },
    }
}

/// Runs in a task of its own: it ends also when the process cannot wait for it.
async fn save_and_pause(sandbox: &SessionSandbox, reason: &'static str) -> Result<(), SaveError> {
    let (id, own) = (sandbox.session_id(), sandbox.clone());
    let save_and_pause = tokio::spawn(async move { own.save_and_pause(reason).await });
    let panicked = |_| Err(retry_later("putting the sandbox away ended unexpectedly").into());
    let outcome = save_and_pause.await.unwrap_or_else(panicked);
    if let Err(error) = &outcome {
        tracing::warn!(%error, session_id = %id, "a session was not paused, and its sandbox goes on");
    }
    outcome
}
