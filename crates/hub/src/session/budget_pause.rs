//! Pauses a session whose model budget is spent, and resumes it when the budget allows more again: with the prompts that wait, or
//! where its agent was cut off.

use std::sync::Arc;

use super::{
    boot::{boot, pause_for_budget},
    input::Input,
    phase::Phase,
    prompting::prompt_to_continue,
    state::LoopState,
};

/// Sent to an agent whose model call was refused in the middle of its work.
const CONTINUE: &str = "The budget allows more again. Go on where you stopped.";
const MAY_CONTINUE: &str =
    "The budget allows more again; the session goes on when something is said to it.";

/// Checks the budget after a turn of the agent.
pub(super) fn check_budget(session: &mut LoopState) {
    let (runtime, generation) = (Arc::clone(&session.ports.runtime), session.generation);
    session.tasks.spawn_for_event(move |inbox| async move {
        if let Some(why) = runtime.over_budget_reason().await {
            let _ = inbox.send(Input::OverBudget(generation, why)).await;
        }
    });
}

/// The budget is spent: the session is paused, and its sandbox saved and destroyed.
pub(super) fn pause_over_budget(session: &mut LoopState, generation: u64, why: String) {
    let is_current = generation == session.generation && matches!(session.phase, Phase::Running(_));
    // If another turn has begun meanwhile, its end checks again.
    if !is_current || session.is_busy() || session.prompts.is_delivering() {
        return;
    }
    pause_for_budget(session, why);
    let runtime = Arc::clone(&session.ports.runtime);
    session
        .tasks
        .spawn(move |_| async move { runtime.pause_for_budget().await });
}

/// Resumes a session that was paused for its budget, perhaps by another owner.
pub(super) fn resume(session: &mut LoopState, is_paused_elsewhere: bool) {
    let is_paused = session.budget_pause.end_pause();
    let is_cold = matches!(session.phase, Phase::Cold { .. } | Phase::Retrying(_));
    if !is_cold || !(is_paused || is_paused_elsewhere) {
        return;
    }
    if !session.prompts.is_empty() || matches!(session.phase, Phase::Retrying(_)) {
        boot(session);
    } else if session.budget_pause.is_cut_off() {
        prompt_to_continue(session, CONTINUE);
    } else if is_paused {
        session.publish_status(Some(MAY_CONTINUE.to_owned()));
    }
}
