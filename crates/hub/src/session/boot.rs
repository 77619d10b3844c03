//! Boots the agent and connects to it. A boot that fails for now while something waits is retried after pauses that grow,
//! and given up after the last of them; what waits stays in the log and is delivered when the agent is up.
//!
//! INVARIANT: the retry is a phase, so that whatever leads to another phase ends it: a caller that needs the agent, a session
//! that leaves or is lost, prompts that are cancelled.

use std::{sync::Arc, time::Duration};

use domain::limits::{AGENT_EVENTS_QUEUED_MAX, HUB_BOOT_RETRY_DELAYS};
use tokio::sync::{mpsc, oneshot, watch};
use wire::live::{BootStage, BootStep, LiveError, LiveErrorCode, ServerMessage};

use super::{
    agent::{BootError, BootErrorCause, BootResult, BootedAgent},
    error::HubError,
    input::Input,
    phase::{
        AgentWaiters, BootTries, BootingPhase, OwnedTask, Phase, RetryingPhase, RunningPhase,
        StageStart,
    },
    stages::BootStages,
    state::LoopState,
};
use crate::opencode::{AgentState, run_feed};

/// Published when the prompts are cancelled that the agent was booted for.
const CANCELLED: &str = "it is not tried again to bring the agent up: that was cancelled";

/// Boots the agent unless it runs or boots. A caller that needs it does not wait for the pause between two tries.
pub(super) fn boot(session: &mut LoopState) {
    let is_woken = match &session.phase {
        Phase::Cold { .. } => false,
        Phase::Retrying(retrying) => retrying.tries.is_woken,
        Phase::Booting(_) | Phase::Running(_) | Phase::Migrating(_) => return,
    };
    begin_boot(
        session,
        BootTries {
            failed: 0,
            is_woken,
        },
    );
}

fn begin_boot(session: &mut LoopState, tries: BootTries) {
    session.generation += 1;
    let generation = session.generation;
    let runtime = Arc::clone(&session.ports.runtime);
    let task = session.tasks.spawn(move |inbox| async move {
        let stages = BootStages::of_boot(generation, inbox.clone());
        let booted = Box::new(runtime.boot(stages).await);
        let _ = inbox.send(Input::Booted(generation, booted)).await;
    });
    session.phase = Phase::Booting(BootingPhase {
        task: OwnedTask(task),
        waiters: Vec::new(),
        stage: None,
        tries,
    });
    session.publish_status(None);
}

/// Replies once the agent is ready, or its boot failed.
pub(super) fn ensure_ready(session: &mut LoopState, reply: oneshot::Sender<Result<(), HubError>>) {
    boot(session);
    match &mut session.phase {
        Phase::Booting(booting) => booting.waiters.push(reply),
        // Until it is saved, the old sandbox is still in use; the agent's own tools need it to end their turn.
        Phase::Migrating(migrating) if migrating.is_settling() => drop(reply.send(Ok(()))),
        Phase::Migrating(migrating) => migrating.waiters.push(reply),
        Phase::Running(_) => drop(reply.send(Ok(()))),
        Phase::Cold { .. } | Phase::Retrying(_) => drop(reply.send(Err(HubError::Gone))),
    }
}

/// Boots the agent for a caller that does not wait for it.
pub(super) fn wake(session: &mut LoopState) {
    let (reply, _) = oneshot::channel();
    ensure_ready(session, reply);
    if let Phase::Booting(booting) = &mut session.phase {
        booting.tries.is_woken = true;
    }
}

/// A stage of a boot or a move begins; the one before it ends.
pub(super) fn begin_stage(session: &mut LoopState, generation: Option<u64>, stage: BootStage) {
    let start = stage_start(session, stage);
    let before = match (&mut session.phase, generation) {
        (Phase::Booting(booting), Some(generation)) if generation == session.generation => {
            booting.stage.replace(start)
        }
        (Phase::Migrating(migrating), None) => migrating.stage.replace(start),
        _ => return,
    };
    end_stage(session, before, None);
}

fn stage_start(session: &LoopState, stage: BootStage) -> StageStart {
    let clock = &session.ports.clock;
    (stage, clock.monotonic(), clock.now().micros() / 1000)
}

/// Publishes how long a stage took.
pub(super) fn end_stage(session: &mut LoopState, stage: Option<StageStart>, error: Option<String>) {
    let Some((stage, began, started_at)) = stage else {
        return;
    };
    let took = session.now().saturating_sub(began);
    session.publish(ServerMessage::BootStep(BootStep {
        stage,
        started_at,
        duration_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        error,
    }));
}

/// A boot ended.
pub(super) fn boot_ended(
    session: &mut LoopState,
    generation: u64,
    booted: BootResult<BootedAgent>,
) {
    let cold = Phase::Cold { why: None };
    let booting = match std::mem::replace(&mut session.phase, cold) {
        Phase::Booting(booting) if generation == session.generation => booting,
        other => {
            session.phase = other;
            return;
        }
    };
    drop(booting.task);
    match booted {
        Ok(agent) => {
            end_stage(session, booting.stage, None);
            follow_agent(session, agent);
            session.publish_status(None);
            answer_waiters(booting.waiters, &Ok(()));
        }
        Err(error) if error.cause == BootErrorCause::OverBudget => {
            pause_for_budget(session, error.message.clone());
            answer_waiters(booting.waiters, &Err(HubError::Boot(error)));
        }
        Err(error) => {
            end_stage(session, booting.stage, Some(error.message.clone()));
            retry_or_give_up(session, error, booting.tries, booting.waiters);
        }
    }
}

/// The session is over its budget: it is paused, and what waits stays where it is.
pub(super) fn pause_for_budget(session: &mut LoopState, why: String) {
    session.set_cold(None);
    session.budget_pause.set_paused();
    session.publish_status(Some(why));
}

/// Continues with this agent.
pub(super) fn follow_agent(session: &mut LoopState, agent: BootedAgent) {
    let transcript = &session.publisher.transcript;
    let settled = transcript.settled().map(ToOwned::to_owned);
    let unsettled = transcript.unsettled();
    let state = AgentState::new(&agent.agent_session, settled.clone(), unsettled);
    let (settled, _) = watch::channel(settled);
    let stage = Some(stage_start(session, BootStage::Stream));
    session.phase = Phase::Running(Box::new(RunningPhase {
        agent,
        state,
        settled,
        feed: None,
        is_caught_up: false,
        gone: 0,
        stage,
    }));
    connect(session);
}

/// Connects to the agent's stream, again if it was connected before.
pub(super) fn connect(session: &mut LoopState) {
    session.generation += 1;
    let generation = session.generation;
    let Some(running) = session.phase.agent_mut() else {
        return;
    };
    running.is_caught_up = false;
    running.state.mark_stream_broken();
    // The connection before it ends here.
    running.feed.take();
    let client = running.agent.client.clone();
    let agent_session = running.agent.agent_session.clone();
    let settled = running.settled.subscribe();
    let feed = session.tasks.spawn(move |inbox| async move {
        let (hub, mut heard) = mpsc::channel(AGENT_EVENTS_QUEUED_MAX);
        // Each ends with the other, and what was received before is passed on.
        let pass_on = async move {
            while let Some(feed) = heard.recv().await {
                let input = Input::Feed(generation, Box::new(feed));
                if inbox.send(input).await.is_err() {
                    return;
                }
            }
        };
        tokio::join!(run_feed(client, agent_session, settled, hub), pass_on);
    });
    running.feed = Some(OwnedTask(feed));
}

/// Replies to the callers that wait for an agent. They are told at once of a boot that failed, also if it is retried: they
/// have time limits of their own.
fn answer_waiters(waiters: AgentWaiters, outcome: &Result<(), HubError>) {
    for waiter in waiters {
        // A caller that is gone needs no reply.
        let _ = waiter.send(outcome.clone());
    }
}

/// Not by `backon`: the retry is a phase of the session, on its own clock, with the pauses that clients are told of.
fn retry_or_give_up(
    session: &mut LoopState,
    error: BootError,
    tries: BootTries,
    waiters: AgentWaiters,
) {
    let is_wanted = tries.is_woken || !session.prompts.is_empty();
    let pause = HUB_BOOT_RETRY_DELAYS.get(tries.failed);
    let pause = pause.filter(|_| error.retryable && is_wanted);
    let tries = BootTries {
        failed: tries.failed + 1,
        ..tries
    };
    let Some(pause) = pause else {
        return give_up(session, error, tries, waiters);
    };
    session.phase = Phase::Retrying(RetryingPhase {
        due: session.now() + *pause,
        tries,
    });
    session.publish_status(Some(retry_message(&error, *pause)));
    answer_waiters(waiters, &Err(HubError::Boot(error)));
}

fn give_up(session: &mut LoopState, error: BootError, tries: BootTries, waiters: AgentWaiters) {
    let message = match tries.failed {
        1 => error.message.clone(),
        failed => give_up_message(&error, failed, session.prompts.len()),
    };
    session.publish(ServerMessage::Error(LiveError {
        message,
        code: LiveErrorCode::Sandbox,
        retryable: error.retryable,
    }));
    session.set_cold(Some(error.clone()));
    session.publish_status(None);
    let runtime = Arc::clone(&session.ports.runtime);
    session.tasks.spawn(move |_| async move {
        runtime.mark_boot_failed(&error).await;
        // A caller that is told finds it on record.
        answer_waiters(waiters, &Err(HubError::Boot(error)));
    });
}

/// Retries the boot if it is time.
pub(super) fn retry_if_due(session: &mut LoopState, now: Duration) {
    if let Phase::Retrying(retrying) = &session.phase
        && retrying.due <= now
    {
        let tries = retrying.tries;
        begin_boot(session, tries);
    }
}

/// When the boot is retried, if it is.
pub(super) fn retry_due(session: &LoopState) -> Option<Duration> {
    match &session.phase {
        Phase::Retrying(retrying) => Some(retrying.due),
        _ => None,
    }
}

/// Ends the retries: nothing waits for the agent any more.
pub(super) fn cancel_retry(session: &mut LoopState) {
    if !matches!(session.phase, Phase::Retrying(_)) {
        return;
    }
    session.set_cold(None);
    session.publish_status(Some(CANCELLED.to_owned()));
    let runtime = Arc::clone(&session.ports.runtime);
    session.tasks.spawn(move |_| async move {
        let why = BootError {
            message: CANCELLED.to_owned(),
            retryable: true,
            cause: BootErrorCause::Failed,
        };
        runtime.mark_boot_failed(&why).await;
    });
}

fn retry_message(error: &BootError, pause: Duration) -> String {
    let (reason, seconds) = (reason(error), pause.as_secs());
    format!("The agent could not be brought up: {reason}. It is tried again in {seconds} seconds.")
}

fn give_up_message(error: &BootError, failed: usize, waiting: usize) -> String {
    let reason = reason(error);
    let kept = match waiting {
        0 => "",
        _ => " What was said waits, and reaches the agent when it comes up.",
    };
    format!(
        "The agent could not be brought up in {failed} tries, and is not tried again by itself: {reason}.{kept}"
    )
}

/// Returns the reason as a part of a sentence.
fn reason(error: &BootError) -> &str {
    error.message.trim_end_matches('.')
}
