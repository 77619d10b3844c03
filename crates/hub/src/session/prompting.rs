//! Accepts prompts and cancels them.

use tokio::sync::oneshot;
use wire::live::{LiveMessage, MessageCancelled, MessagePart, MessageRole, ServerMessage};

use super::{
    boot::{boot, cancel_retry},
    error::HubError,
    phase::Phase,
    prompts::PromptWaiter,
    state::LoopState,
    view::NewPrompt,
};
use crate::{log::prompt_digest, opencode::PromptIds};

/// Accepts a prompt. The caller is told when it is in the log.
pub(super) fn take_prompt(session: &mut LoopState, prompt: NewPrompt, reply: PromptWaiter) {
    let accepted = accept_prompt(session, prompt);
    session.prompts.reply_when_logged(accepted, reply);
}

/// Tells an agent that was cut off to continue, in the name of no user.
pub(super) fn prompt_to_continue(session: &mut LoopState, text: &str) {
    let prompt = NewPrompt {
        text: text.to_owned(),
        ..NewPrompt::default()
    };
    if let Err(error) = accept_prompt(session, prompt) {
        tracing::warn!(%error, "cannot tell an agent that was cut off to continue");
    }
}

/// Puts a prompt into the log; it is delivered when it is written and the agent is ready.
fn accept_prompt(session: &mut LoopState, prompt: NewPrompt) -> Result<String, HubError> {
    if session.ports.runtime.is_ended() {
        return Err(HubError::Over);
    }
    let once = &session.publisher.once;
    if let Some(accepted) = prompt
        .key
        .as_deref()
        .and_then(|key| once.accepted_prompt(key))
    {
        let images = prompt.images.iter().map(String::as_str);
        if accepted.digest != prompt_digest(&prompt.text, images) {
            return Err(HubError::KeyTaken);
        }
        let id = accepted.message_id.clone();
        // It may be the one that could not be delivered yet.
        if !session.prompts.is_empty() {
            boot(session);
        }
        return Ok(id);
    }
    if session.prompts.is_full() {
        return Err(match session.phase {
            Phase::Migrating(_) => HubError::MovingFull,
            _ => HubError::Full,
        });
    }
    let now = session.ports.clock.now();
    let known = session.phase.agent();
    let known = known.and_then(|running| running.state.last_message());
    let newest = session.prompts.newest().max(known);
    let newest = newest.max(session.publisher.transcript.newest());
    let ids = match &prompt.key {
        Some(key) => PromptIds::for_key(now, newest, key),
        None => PromptIds::new(now, newest, session.ports.entropy.as_ref()),
    };
    let images = prompt
        .images
        .into_iter()
        .map(|image| MessagePart::Image { image });
    let message = LiveMessage {
        id: ids.message.clone(),
        role: MessageRole::User,
        content: prompt.text,
        is_complete: true,
        created_at: now.micros() / 1000,
        sender_id: prompt.sender_id,
        source: prompt.source,
        prompt_id: None,
        tool_calls: Vec::new(),
        parts: images.collect(),
    };
    let message = ServerMessage::Message(Box::new(message));
    // One that cannot be in the log could never be delivered.
    if session.publisher.check_size(&message).is_err() {
        return Err(HubError::TooLarge);
    }
    session.publish(message);
    session.prompts.push(&ids.message);
    boot(session);
    Ok(ids.message)
}

/// Cancels the prompts that were not delivered yet, and stops the agent's turn.
pub(super) fn cancel(session: &mut LoopState, reply: oneshot::Sender<Result<(), HubError>>) {
    for id in session.prompts.take_waiting() {
        let message_id = Some(id);
        session.publish(ServerMessage::MessageCancelled(MessageCancelled {
            message_id,
        }));
    }
    cancel_retry(session);
    cut_turn(session, reply);
}

/// Stops the agent's turn.
pub(super) fn cut_turn(session: &mut LoopState, reply: oneshot::Sender<Result<(), HubError>>) {
    let Some(running) = session.phase.agent() else {
        let _ = reply.send(Ok(()));
        return;
    };
    let client = running.agent.client.clone();
    let agent_session = running.agent.agent_session.clone();
    session.tasks.spawn(move |_| async move {
        let aborted = client.abort(&agent_session).await;
        let _ = reply.send(aborted.map_err(HubError::from));
    });
}
