//! Waiting for an approval, and reporting progress meanwhile. Cancelling the wait cancels nothing
//! else.

use std::time::Duration;

use app::{
    App,
    actions::{self, InvocationResult},
    notices::{self, NoticeSubscription, NoticeUpdate},
};
use domain::{
    action::InvocationState,
    caller::Caller,
    id::{InvocationId, SessionId},
    limits::{MCP_LOOK_EVERY, MCP_PROGRESS_EVERY, MCP_WAIT, MCP_WAIT_MAX},
    notice::NoticeKind,
};
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio_util::sync::CancellationToken;

/// The client's side of a wait.
#[derive(Debug)]
pub(super) struct WaitOptions {
    pub(super) wait: Duration,
    pub(super) peer: Peer<RoleServer>,
    pub(super) token: Option<ProgressToken>,
    /// The client no longer waits.
    pub(super) gone: CancellationToken,
}

/// How long to wait for a client that requested `wanted` seconds. Without progress notifications
/// waits are short.
pub(super) fn bounded_wait(wanted: Option<u64>, hears_progress: bool) -> Duration {
    let max = if hears_progress {
        MCP_WAIT_MAX
    } else {
        MCP_WAIT
    };
    wanted.map_or(MCP_WAIT, Duration::from_secs).min(max)
}

/// The invocation once it has ended, or in its current state when the time is over or the client no
/// longer waits.
pub(super) async fn wait_until_ended(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    id: InvocationId,
    options: &WaitOptions,
) -> app::Result<InvocationResult> {
    let begun = app.clock.monotonic();
    let deadline = begun + options.wait;
    // Without coordination the end is found by polling.
    let organization_id = caller.organization_id();
    let mut watch = notices::subscribe(app, organization_id, session_id)
        .await
        .ok();
    let mut next_progress = begun;
    let mut reported = 0_u32;
    loop {
        let record = actions::fetch(app, caller, Some(session_id), id).await?;
        let now = app.clock.monotonic();
        if record.invocation.state.is_terminal() || now >= deadline || options.gone.is_cancelled() {
            let result = actions::whole_result(app, caller, &record).await?;
            let record = Box::new(record);
            return Ok(InvocationResult { record, result });
        }
        if now >= next_progress {
            reported += 1;
            send_progress(options, reported, &record.invocation.state).await;
            next_progress = now + MCP_PROGRESS_EVERY;
        }
        let look = MCP_LOOK_EVERY
            .min(deadline.saturating_sub(now))
            .min(next_progress.saturating_sub(now));
        tokio::select! {
            () = tokio::time::sleep(look) => {}
            () = options.gone.cancelled() => {}
            () = wait_for_notice(&mut watch, id) => {}
        }
    }
}

/// Returns when there is news of this invocation. Never, without a subscription.
async fn wait_for_notice(watch: &mut Option<NoticeSubscription>, id: InvocationId) {
    let id = id.to_string();
    while let Some(listening) = watch {
        match listening.next().await {
            Ok(Some(NoticeUpdate::Notice(message))) => {
                let is_ours = message["payload"]["invocationId"] == id.as_str();
                if is_ours && message["type"] != NoticeKind::ActionApprovalRequest.as_str() {
                    return;
                }
            }
            Ok(Some(NoticeUpdate::Missed(_))) => return,
            Ok(None) | Err(_) => *watch = None,
        }
    }
    std::future::pending::<()>().await;
}

/// Best effort: a disconnected client is detected by its connection.
async fn send_progress(options: &WaitOptions, count: u32, state: &InvocationState) {
    let Some(token) = options.token.clone() else {
        return;
    };
    let message = match state {
        InvocationState::Pending { .. } => "waiting for an approval of this call",
        _ => "this call is under way",
    };
    let progress = ProgressNotificationParam::new(token, f64::from(count)).with_message(message);
    if let Err(error) = options.peer.notify_progress(progress).await {
        tracing::debug!(%error, "a progress notification could not be sent");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::bounded_wait;

    #[test]
    fn a_wait_without_progress_is_short() {
        for (wanted, hears, seconds) in [
            (None, false, 50),
            (None, true, 50),
            (Some(0), true, 0),
            (Some(7), false, 7),
            (Some(200), false, 50),
            (Some(200), true, 200),
            (Some(u64::MAX), true, 1500),
        ] {
            let wait = bounded_wait(wanted, hears);
            assert_eq!(wait, Duration::from_secs(seconds), "{wanted:?} {hears}");
        }
    }
}
