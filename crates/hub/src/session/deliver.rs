//! Prompts on their way to the agent. One is on record first, under the id that the agent will know it by, so that it
//! can be delivered again after whatever happens.

use domain::limits::HUB_PROMPTS_QUEUED_MAX;
use tokio::sync::oneshot;
use wire::live::{
    LiveError, LiveErrorCode, LiveMessage, MessageCancelled, MessagePart, MessageRole,
    ServerMessage,
};

use super::{
    handle::{HubError, Input, NewPrompt},
    phase::Phase,
    service::Service,
};
use crate::{
    log::{Entry, digest},
    opencode::{AgentError, PromptBody, PromptIds, PromptImage, Retry, State},
};

/// Whoever waits to hear that a prompt is taken.
pub(super) type Waiter = oneshot::Sender<Result<String, HubError>>;

impl Service {
    /// Takes a prompt. That is said when it is on record: before, whoever has the session next would not know of it.
    pub(super) fn take_prompt(&mut self, prompt: NewPrompt, reply: Waiter) {
        let taken = self.prompt(prompt);
        let waiters = taken
            .as_ref()
            .ok()
            .and_then(|id| self.unwritten.get_mut(id));
        match waiters {
            Some(waiters) => waiters.push(reply),
            // The prompt is taken, whether or not somebody still wants to know.
            None => drop(reply.send(taken)),
        }
    }

    /// A message is on record.
    pub(super) fn is_written(&mut self, message: &ServerMessage) {
        let ServerMessage::Message(message) = message else {
            return;
        };
        for waiter in self.unwritten.remove(&message.id).unwrap_or_default() {
            let _ = waiter.send(Ok(message.id.clone()));
        }
    }

    /// Tells an agent that was cut off to go on, in nobody's name.
    pub(super) fn prompt_again(&mut self, text: &str) {
        let prompt = NewPrompt {
            text: text.to_owned(),
            ..NewPrompt::default()
        };
        if let Err(error) = self.prompt(prompt) {
            tracing::warn!(%error, "an agent that was cut off is not told to go on");
        }
    }

    /// Puts a prompt on record; it is delivered when it is written and the agent is there.
    fn prompt(&mut self, prompt: NewPrompt) -> Result<String, HubError> {
        if self.ports.runtime.is_over() {
            return Err(HubError::Over);
        }
        if let Some(taken) = prompt.key.as_deref().and_then(|key| self.once.taken(key)) {
            let images = prompt.images.iter().map(String::as_str);
            if taken.digest != digest(&prompt.text, images) {
                return Err(HubError::KeyTaken);
            }
            let id = taken.message_id.clone();
            // It may be what could not be delivered yet.
            if !self.waiting.is_empty() {
                self.boot();
            }
            return Ok(id);
        }
        if self.waiting.len() >= HUB_PROMPTS_QUEUED_MAX {
            return Err(match self.phase {
                Phase::Migrating(_) => HubError::MovingFull,
                _ => HubError::Full,
            });
        }
        let now = self.ports.clock.now();
        let known = self.phase.agent();
        let known = known.and_then(|running| running.state.last_message());
        let newest = self.last_prompt.as_deref().max(known);
        let newest = newest.max(self.transcript.newest());
        let ids = match &prompt.key {
            Some(key) => PromptIds::for_key(now, newest, key),
            None => PromptIds::new(now, newest, self.ports.entropy.as_ref()),
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
        // What cannot be on record could never be delivered.
        if Entry::new(self.window.next(), &message, now).is_err() {
            return Err(HubError::TooLarge);
        }
        self.tell(message);
        self.unwritten.insert(ids.message.clone(), Vec::new());
        self.waiting.push_back(ids.message.clone());
        self.last_prompt = Some(ids.message.clone());
        self.boot();
        Ok(ids.message)
    }

    /// Delivers what waits longest and is on record, if the agent listens. One after the other: the agent takes them
    /// in the order in which they come.
    pub(super) fn deliver_waiting(&mut self) {
        let is_ready = matches!(&self.phase, Phase::Running(running) if running.is_caught_up);
        if !is_ready || self.delivering.is_some() {
            return;
        }
        while let Some(id) = self.waiting.front().cloned() {
            if self.has_begun(&id) {
                // What was not heard of its delivery is heard in its answer.
                self.waiting.pop_front();
                continue;
            }
            if self.deliver(&id) {
                self.waiting.pop_front();
                self.delivering = Some(id);
            }
            return;
        }
    }

    fn has_begun(&self, id: &str) -> bool {
        matches!(&self.phase, Phase::Running(running) if running.state.has_begun(id))
    }

    /// The agent has it, under this id, and does nothing about it.
    pub(super) fn deliver_again(&mut self, given: &str) {
        if let Some(id) = self.transcript.prompt_like(given) {
            let id = id.to_owned();
            self.wait_first(id);
        }
    }

    fn wait_first(&mut self, id: String) {
        if self.delivering.as_ref() != Some(&id) && !self.waiting.contains(&id) {
            self.waiting.push_front(id);
        }
    }

    /// The agent is gone for good. What it was given and had not begun waits for the next one, before what it was not
    /// given.
    pub(super) fn wait_anew(&mut self, state: &State) {
        let unanswered = self.transcript.unanswered().into_iter();
        let unanswered = unanswered.filter(|id| !state.has_begun(id));
        self.wait_before_others(unanswered.collect());
    }

    /// The agent rests. What it takes for answered, and has not answered, is given to it once more.
    pub(super) fn wait_if_passed_over(&mut self) {
        let Phase::Running(running) = &self.phase else {
            return;
        };
        let unanswered = self.transcript.unanswered().into_iter();
        let passed_over = unanswered.filter(|id| running.state.is_passed_over(id));
        self.wait_before_others(passed_over.collect());
    }

    fn wait_before_others(&mut self, first: Vec<String>) {
        let others = std::mem::take(&mut self.waiting).into_iter();
        let others: Vec<String> = others.filter(|id| !first.contains(id)).collect();
        let delivering = self.delivering.as_ref();
        self.waiting = first
            .into_iter()
            .filter(|id| Some(id) != delivering)
            .collect();
        self.waiting.extend(others);
    }

    /// Sends a prompt that is on record, for the first time or again. False if it is not on record yet.
    fn deliver(&mut self, id: &str) -> bool {
        let Some(message) = self.transcript.message(id) else {
            return false;
        };
        let Phase::Running(running) = &mut self.phase else {
            return false;
        };
        let body = PromptBody {
            text: message.content.clone(),
            images: message.parts.iter().filter_map(image).collect(),
            system: running.agent.system.clone(),
            model: running.agent.model.clone(),
        };
        running.state.prompted();
        self.withheld.prompted();
        self.watchdog.agent_heard(self.ports.clock.monotonic());
        let client = running.agent.client.clone();
        let session = running.agent.agent_session.clone();
        let (ids, id) = (running.state.ids_for(id), id.to_owned());
        self.spawn(move |inbox| async move {
            let delivered = client.prompt(&session, &ids, &body).await;
            let _ = inbox.send(Input::Delivered(id, delivered)).await;
        });
        true
    }

    /// What became of a delivery. One that failed for now is made again when the stream stands again.
    pub(super) fn delivered(&mut self, id: String, outcome: Result<(), AgentError>) {
        if self.delivering.as_ref() == Some(&id) {
            self.delivering = None;
        }
        let Err(error) = outcome else {
            self.deliver_waiting();
            return;
        };
        if error.retry() == Retry::Later {
            self.wait_first(id);
            self.connect();
            // The agent may have ended meanwhile, with nothing that waited for the next one.
            if matches!(self.phase, Phase::Cold { .. }) {
                self.boot();
            }
            return;
        }
        let reason = format!("The prompt could not be delivered: {error}.");
        if let Some(running) = self.phase.agent_mut() {
            let told = running.state.abandon(&reason);
            self.follow(told);
        } else {
            self.tell(ServerMessage::Error(LiveError {
                message: reason,
                code: LiveErrorCode::Agent,
                retryable: false,
            }));
        }
    }

    /// Prompts that were not delivered yet are not delivered any more; what the agent does is stopped.
    pub(super) fn cancel(&mut self, reply: oneshot::Sender<Result<(), HubError>>) {
        for id in std::mem::take(&mut self.waiting) {
            let message_id = Some(id);
            self.tell(ServerMessage::MessageCancelled(MessageCancelled {
                message_id,
            }));
        }
        self.stop_retrying();
        let Some(running) = self.phase.agent() else {
            let _ = reply.send(Ok(()));
            return;
        };
        let client = running.agent.client.clone();
        let session = running.agent.agent_session.clone();
        self.spawn(move |_| async move {
            let aborted = client.abort(&session).await;
            let _ = reply.send(aborted.map_err(HubError::from));
        });
    }
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
