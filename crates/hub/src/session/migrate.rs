//! The hub while its session moves to a new sandbox: it stays connected to the old agent until the new one answers, and
//! prompts wait. `sandbox_control` executes the move; here is what clients see of it.
//!
//! INVARIANT: no prompt is delivered to either agent while the session moves, so the order of prompts is that of the log.

use domain::clock::Timestamp;
use wire::live::{MigrationReason, MigrationState, MigrationUpdate, ServerMessage};

use super::{
    boot::{boot, end_stage, ensure_ready, follow_agent},
    delivery::deliver_waiting,
    error::HubError,
    move_report::{MoveOutcome, MoveReport},
    phase::{MigratingPhase, Phase},
    prompting::prompt_to_continue,
    state::LoopState,
};

/// Sent to the agent if its turn was cut off and no prompt waits for it.
const CONTINUE: &str = "Your sandbox was replaced while you were at work, and your turn was cut off. Files are as they \
    were then; programs that you had started have ended. Go on where you stopped.";

/// Makes prompts wait, and tells the clients that the session moves.
pub(super) fn begin_move(
    session: &mut LoopState,
    reason: MigrationReason,
    expires_at: Option<Timestamp>,
) -> Result<(), HubError> {
    let cold = Phase::Cold { why: None };
    let running = match std::mem::replace(&mut session.phase, cold) {
        Phase::Running(running) => running,
        other => {
            let error = match &other {
                Phase::Migrating(_) => HubError::Migrating,
                _ => HubError::NotUp,
            };
            session.phase = other;
            return Err(error);
        }
    };
    session.phase = Phase::Migrating(Box::new(MigratingPhase {
        running,
        waiters: Vec::new(),
        stage: None,
        reason,
        began: session.now(),
        is_old_gone: false,
    }));
    let update = update(MigrationState::Started, reason, expires_at);
    session.publish(ServerMessage::Migration(update));
    session.publish_status(None);
    Ok(())
}

/// Continues with the new agent or the old one, and tells the clients how the move ended.
pub(super) fn end_move(session: &mut LoopState, report: MoveReport) {
    let cold = Phase::Cold { why: None };
    let migrating = match std::mem::replace(&mut session.phase, cold) {
        Phase::Migrating(migrating) => *migrating,
        other => {
            session.phase = other;
            return;
        }
    };
    let MoveReport {
        outcome,
        expires_at,
        lost,
        is_cut,
    } = report;
    let error = outcome.error().map(ToOwned::to_owned);
    end_stage(session, migrating.stage, error.clone());
    let took = session.now().saturating_sub(migrating.began);
    let update = MigrationUpdate {
        state: state(&outcome, migrating.is_old_gone),
        gap_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        queued: u32::try_from(session.prompts.len()).unwrap_or(u32::MAX),
        retry_at: outcome.retry_at().map(millis),
        lost,
        error,
        ..update(MigrationState::Started, migrating.reason, expires_at)
    };
    metrics::histogram!("proliferate_migration_gap_seconds").record(took.as_secs_f64());
    session.publish(ServerMessage::Migration(update));
    let has_agent = match outcome {
        MoveOutcome::Completed(agent) => {
            follow_agent(session, *agent);
            true
        }
        MoveOutcome::Failed { .. } if !migrating.is_old_gone => {
            session.phase = Phase::Running(migrating.running);
            true
        }
        MoveOutcome::Failed { .. } | MoveOutcome::Stranded { .. } => false,
    };
    session.publish_status(None);
    continue_after_move(session, is_cut);
    for waiter in migrating.waiters {
        if has_agent {
            drop(waiter.send(Ok(())));
        } else {
            // A caller that waits for the agent that is gone gets the next one.
            ensure_ready(session, waiter);
        }
    }
}

/// Delivers the prompts that waited; without any, a turn that was cut off is continued.
fn continue_after_move(session: &mut LoopState, is_cut: bool) {
    if is_cut && session.prompts.is_empty() {
        prompt_to_continue(session, CONTINUE);
    }
    if !session.prompts.is_empty() {
        boot(session);
        deliver_waiting(session);
    }
}

fn state(outcome: &MoveOutcome, is_old_gone: bool) -> MigrationState {
    match outcome {
        MoveOutcome::Completed(_) => MigrationState::Completed,
        MoveOutcome::Failed { .. } if !is_old_gone => MigrationState::Failed,
        MoveOutcome::Failed { .. } | MoveOutcome::Stranded { .. } => MigrationState::Stranded,
    }
}

fn update(
    state: MigrationState,
    reason: MigrationReason,
    expires_at: Option<Timestamp>,
) -> MigrationUpdate {
    MigrationUpdate {
        state,
        reason,
        expires_at: expires_at.map(millis),
        gap_ms: None,
        queued: 0,
        lost: Vec::new(),
        error: None,
        retry_at: None,
    }
}

fn millis(at: Timestamp) -> i64 {
    at.micros() / 1000
}
