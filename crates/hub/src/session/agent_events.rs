//! Acts on what the agent sends, and on its silence.

use std::sync::Arc;

use domain::limits::AGENT_GONE_MIN;
use tokio::sync::oneshot;
use wire::live::{LiveError, LiveErrorCode, ServerMessage, StatusUpdate};

use super::{
    agent::{BootError, BootErrorCause, Liveness},
    boot::{boot, connect, end_stage},
    budget_pause::check_budget,
    delivery::{deliver_again, deliver_waiting, requeue_passed_over, requeue_unanswered},
    input::Input,
    phase::Phase,
    prompting::cancel,
    state::LoopState,
};
use crate::opencode::{
    AgentError, AgentRecord, Alarm, ExceededLimit, FeedEvent, LiveEvent, PermissionReply, Retry,
    StreamLoss,
};

const SANDBOX_GONE: &str = "The sandbox ended while the agent was at work.";
const AGENT_GONE: &str = "The agent ended while it was at work.";

/// The agent's stream brought something, or broke.
pub(super) fn handle_feed(session: &mut LoopState, generation: u64, feed: FeedEvent) {
    if generation != session.generation {
        return;
    }
    let Some(running) = session.phase.agent_mut() else {
        return;
    };
    let is_caught_up = matches!(feed, FeedEvent::CaughtUp(_));
    let events = match feed {
        FeedEvent::CaughtUp(AgentRecord {
            messages,
            is_whole,
            status,
            reservation: _reservation,
        }) => {
            running.is_caught_up = true;
            running.gone = 0;
            let events = running.state.apply_record(&messages, &status);
            let stage = running.stage.take();
            end_stage(session, stage, None);
            if !is_whole {
                session.publish(ServerMessage::Error(LiveError {
                    message: "Some of what the agent did while the gateway was not connected is not shown."
                        .into(),
                    code: LiveErrorCode::Agent,
                    retryable: false,
                }));
            }
            events
        }
        FeedEvent::Event(event) => running.state.apply(&event),
        FeedEvent::Exceeded(excess) => {
            end_agent(session, excess);
            return;
        }
        FeedEvent::Unreadable(error) => {
            tracing::warn!(%error, "cannot read an event of the agent");
            vec![LiveEvent::Refetch]
        }
        FeedEvent::Lost { reason, .. } => {
            tracing::info!(?reason, "the agent's stream broke");
            running.is_caught_up = false;
            running.gone = if reason == StreamLoss::Gone {
                running.gone + 1
            } else {
                0
            };
            running.state.mark_stream_broken();
            check_liveness(session, generation);
            return;
        }
    };
    if session.is_busy() && !events.is_empty() {
        session
            .watchdog
            .agent_heard(session.ports.clock.monotonic());
    }
    apply_events(session, events);
    deliver_waiting(session);
    // The hub before this one may have had no time to report it.
    if is_caught_up && !session.is_busy() && session.prompts.is_empty() {
        publish_idle(session);
    }
}

/// Checks whether the sandbox is alive at all.
fn check_liveness(session: &mut LoopState, generation: u64) {
    let runtime = Arc::clone(&session.ports.runtime);
    session.tasks.spawn(move |inbox| async move {
        let liveness = runtime.liveness().await;
        let _ = inbox.send(Input::Liveness(generation, liveness)).await;
    });
}

/// Neither a dead sandbox comes back, nor an agent that ended in one that is alive: its turn ends. A prompt that waits boots
/// another.
pub(super) fn handle_liveness(session: &mut LoopState, generation: u64, liveness: Liveness) {
    let is_current = generation == session.generation;
    let Some(running) = session.phase.agent_mut() else {
        return;
    };
    let reason = match liveness {
        Liveness::Dead => SANDBOX_GONE,
        Liveness::Alive if running.gone >= AGENT_GONE_MIN => AGENT_GONE,
        Liveness::Alive | Liveness::Unknown => return,
    };
    if !is_current || running.is_caught_up {
        return;
    }
    let events = running.state.abandon(reason);
    let state = running.state.clone();
    apply_events(session, events);
    if let Phase::Migrating(migrating) = &mut session.phase {
        // The move ends it.
        migrating.is_old_gone = true;
        return;
    }
    session.set_cold(None);
    session.publish_status(Some(reason.to_owned()));
    requeue_unanswered(session, &state);
    if !session.prompts.is_empty() {
        boot(session);
    }
}

/// Acts on what follows from what the agent sent.
fn apply_events(session: &mut LoopState, events: Vec<LiveEvent>) {
    let now = session.now();
    let (mut is_missing, mut exceeded) = (false, None);
    for event in events {
        match event {
            LiveEvent::Show(message) => {
                session.is_unsettled = true;
                session.active_at = now;
                session.budget_pause.observe(&message);
                match &message {
                    ServerMessage::ToolStart(start) => {
                        let (id, tool) = (&start.tool_call_id, &start.tool);
                        session.watchdog.tool_started(id, tool, now);
                    }
                    ServerMessage::ToolEnd(end) => {
                        session.watchdog.tool_ended(&end.tool_call_id, now);
                    }
                    _ => {}
                }
                session.publish(message);
            }
            LiveEvent::Busy => session.watchdog.agent_heard(now),
            LiveEvent::Idle => {
                session.watchdog.agent_idle();
                requeue_passed_over(session);
                publish_idle(session);
            }
            LiveEvent::Refetch => is_missing = true,
            LiveEvent::Unanswered { message_id } => deliver_again(session, &message_id),
            LiveEvent::Permission(asked) => {
                reject_permission(session, asked.id, &asked.permission);
            }
            LiveEvent::Exceeded(excess) => exceeded = Some(excess),
        }
    }
    if let Some(excess) = exceeded {
        return end_agent(session, excess);
    }
    if let Some(running) = session.phase.agent_mut() {
        let settled = running.state.settled().map(ToOwned::to_owned);
        running.settled.send_replace(settled);
        if is_missing && running.is_caught_up {
            connect(session);
        }
    }
}

/// Rejects a permission that the agent asks for: its configuration and the gateway decide what it may do.
fn reject_permission(session: &mut LoopState, id: String, permission: &str) {
    session.publish(ServerMessage::Error(LiveError {
        message: format!(
            "The agent asked for a permission ({permission}) that no user can give here."
        ),
        code: LiveErrorCode::Refused,
        retryable: false,
    }));
    if let Some(running) = session.phase.agent() {
        let client = running.agent.client.clone();
        session.tasks.spawn_for_event(move |_| async move {
            let reply = client.reply_permission(&id, PermissionReply::Reject);
            if let Err(error) = reply.await {
                tracing::warn!(%error, "cannot reject a permission");
            }
        });
    }
}

/// Ends an agent that sent more than the gateway reads. Its stream is closed: another program may answer at its address. The
/// session fails, and the next prompt boots an agent in a new sandbox. Nothing boots one by itself: that would not end.
fn end_agent(session: &mut LoopState, excess: ExceededLimit) {
    let Some(running) = session.phase.agent_mut() else {
        return;
    };
    let message = format!(
        "The agent was stopped: it sent {excess}, which is more than the gateway reads. The files of its sandbox are \
         kept; send a prompt to start it again."
    );
    // Its connection is closed first.
    running.feed.take();
    running.is_caught_up = false;
    let was_busy = running.state.is_busy();
    let events = running.state.abandon(&message);
    let state = running.state.clone();
    apply_events(session, events);
    if !was_busy {
        session.publish(ServerMessage::Error(LiveError {
            message: message.clone(),
            code: LiveErrorCode::Agent,
            retryable: true,
        }));
    }
    if let Phase::Migrating(migrating) = &mut session.phase {
        // The move destroys the old sandbox.
        migrating.is_old_gone = true;
        return;
    }
    session.set_cold(Some(BootError {
        message: message.clone(),
        retryable: true,
        cause: BootErrorCause::Failed,
    }));
    session.publish_status(None);
    requeue_unanswered(session, &state);
    let runtime = Arc::clone(&session.ports.runtime);
    session
        .tasks
        .spawn(move |_| async move { runtime.end_agent(&message).await });
}

/// The delivery of a prompt ended. One that failed for now is repeated when the stream is connected again.
pub(super) fn delivery_ended(session: &mut LoopState, id: String, outcome: Result<(), AgentError>) {
    session.prompts.end_delivery(&id);
    let Err(error) = outcome else {
        deliver_waiting(session);
        return;
    };
    if error.retry() == Retry::Later {
        session.prompts.push_first(id);
        connect(session);
        // The agent may have ended meanwhile, when no prompt waited for the next one.
        if session.phase.is_cold() {
            boot(session);
        }
        return;
    }
    let reason = format!("The prompt could not be delivered: {error}.");
    if let Some(running) = session.phase.agent_mut() {
        let events = running.state.abandon(&reason);
        apply_events(session, events);
    } else {
        session.publish(ServerMessage::Error(LiveError {
            message: reason,
            code: LiveErrorCode::Agent,
            retryable: false,
        }));
    }
}

/// Stops an agent or a tool that was silent for too long, and tells the clients why.
pub(super) fn check_watchdog(session: &mut LoopState) {
    for alarm in session.watchdog.check(session.ports.clock.monotonic()) {
        match alarm {
            Alarm::Progress { tool, running, .. } => {
                let seconds = running.as_secs();
                session.publish_status(Some(format!("{tool} has been running for {seconds} s.")));
            }
            Alarm::Message { silent } => {
                let minutes = silent.as_secs() / 60;
                stop_silent_turn(
                    session,
                    format!("The agent said nothing for {minutes} minutes and was stopped."),
                );
            }
            Alarm::Tool { tool, silent, .. } => {
                let minutes = silent.as_secs() / 60;
                stop_silent_turn(
                    session,
                    format!("{tool} said nothing for {minutes} minutes and was stopped."),
                );
            }
        }
    }
}

fn stop_silent_turn(session: &mut LoopState, message: String) {
    session.publish(ServerMessage::Error(LiveError {
        message,
        code: LiveErrorCode::Silent,
        retryable: true,
    }));
    let (reply, _) = oneshot::channel();
    cancel(session, reply);
}

/// Publishes once after each turn that the agent is idle.
fn publish_idle(session: &mut LoopState) {
    if std::mem::take(&mut session.is_unsettled) {
        let status = session.status();
        session.publish(ServerMessage::Status(StatusUpdate {
            status,
            is_idle: true,
            message: None,
        }));
        check_budget(session);
    }
}
