//! Delivers prompts to the agent. A prompt is in the log first, under the id that the agent knows it by, so that it can be
//! delivered again after any failure.

use wire::live::MessagePart;

use super::{
    input::Input,
    phase::{Phase, RunningPhase},
    state::LoopState,
};
use crate::opencode::{AgentState, PromptBody, PromptImage};

/// Delivers the prompt that waits longest and is in the log, if the agent's stream is connected. One after the other: the
/// agent takes them in the order in which they come.
pub(super) fn deliver_waiting(session: &mut LoopState) {
    let is_ready = matches!(&session.phase, Phase::Running(running) if running.is_caught_up);
    if !is_ready || session.prompts.is_delivering() {
        return;
    }
    while let Some(id) = session.prompts.first().map(ToOwned::to_owned) {
        if has_begun(&session.phase, &id) {
            // The result of its delivery was lost; its answer arrives.
            session.prompts.drop_first();
            continue;
        }
        if deliver(session, &id) {
            session.prompts.begin_delivery();
        }
        return;
    }
}

fn has_begun(phase: &Phase, id: &str) -> bool {
    matches!(phase, Phase::Running(running) if running.state.has_begun(id))
}

/// Queues a prompt again that the agent has under this id and does not act on.
pub(super) fn deliver_again(session: &mut LoopState, given: &str) {
    if let Some(id) = session.publisher.transcript.prompt_like(given) {
        let id = id.to_owned();
        session.prompts.push_first(id);
    }
}

/// Queues the prompts again that an agent had and had not begun, which is gone for good: before those it was not given.
pub(super) fn requeue_unanswered(session: &mut LoopState, state: &AgentState) {
    let unanswered = session.publisher.transcript.unanswered().into_iter();
    let unanswered = unanswered.filter(|id| !state.has_begun(id));
    session.prompts.put_before_others(unanswered.collect());
}

/// Queues the prompts again that an idle agent takes for answered, and has not answered.
pub(super) fn requeue_passed_over(session: &mut LoopState) {
    let Phase::Running(running) = &session.phase else {
        return;
    };
    let unanswered = session.publisher.transcript.unanswered().into_iter();
    let passed_over = unanswered.filter(|id| running.state.is_passed_over(id));
    session.prompts.put_before_others(passed_over.collect());
}

/// Sends a prompt to the agent, for the first time or again. Returns false if it is not in the log yet.
fn deliver(session: &mut LoopState, id: &str) -> bool {
    let Some(message) = session.publisher.transcript.message(id) else {
        return false;
    };
    let Phase::Running(running) = &mut session.phase else {
        return false;
    };
    let RunningPhase { agent, state, .. } = &mut **running;
    let body = PromptBody {
        text: message.content.clone(),
        images: message.parts.iter().filter_map(image).collect(),
        system: agent.system.clone(),
        model: agent.model.clone(),
    };
    state.begin_prompt();
    session.budget_pause.reset();
    session
        .watchdog
        .agent_heard(session.ports.clock.monotonic());
    let client = agent.client.clone();
    let agent_session = agent.agent_session.clone();
    let (ids, id) = (state.ids_for(id), id.to_owned());
    session.tasks.spawn(move |inbox| async move {
        let delivered = client.prompt(&agent_session, &ids, &body).await;
        let _ = inbox.send(Input::Delivered(id, delivered)).await;
    });
    true
}

fn image(part: &MessagePart) -> Option<PromptImage> {
    let MessagePart::Image { image } = part else {
        return None;
    };
    let media_type = image.strip_prefix("data:")?.split(';').next()?;
    Some(PromptImage {
        media_type: media_type.to_owned(),
        uri: image.clone(),
    })
}
