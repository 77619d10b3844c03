//! The prompts of a session that its agent was not given yet, by their ids. Each is in the log, or on its way there.

use std::collections::{HashMap, VecDeque};

use domain::limits::HUB_PROMPTS_QUEUED_MAX;
use tokio::sync::oneshot;
use wire::live::ServerMessage;

use super::error::HubError;

/// A caller that waits until its prompt is in the log.
pub(super) type PromptWaiter = oneshot::Sender<Result<String, HubError>>;

/// Prompts on their way to the agent.
#[derive(Debug, Default)]
pub(super) struct PromptQueue {
    waiting: VecDeque<String>,
    /// Prompts that are not in the log yet, and who waits for that.
    unlogged: HashMap<String, Vec<PromptWaiter>>,
    /// The prompt that is being handed to the agent.
    delivering: Option<String>,
    /// The newest prompt of this hub.
    newest: Option<String>,
}

impl PromptQueue {
    /// Starts with prompts that an earlier owner may not have delivered. The agent answers one that it was given twice once.
    pub(super) fn new(waiting: Vec<String>) -> Self {
        Self {
            waiting: VecDeque::from(waiting),
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= HUB_PROMPTS_QUEUED_MAX
    }

    pub(super) fn is_delivering(&self) -> bool {
        self.delivering.is_some()
    }

    pub(super) fn newest(&self) -> Option<&str> {
        self.newest.as_deref()
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.waiting.front().map(String::as_str)
    }

    /// Queues a prompt that is on its way into the log.
    pub(super) fn push(&mut self, id: &str) {
        self.unlogged.insert(id.to_owned(), Vec::new());
        self.waiting.push_back(id.to_owned());
        self.newest = Some(id.to_owned());
    }

    /// Replies to the caller once the prompt is in the log; before, the next owner would not know of it.
    pub(super) fn reply_when_logged(
        &mut self,
        accepted: Result<String, HubError>,
        reply: PromptWaiter,
    ) {
        let waiters = accepted
            .as_ref()
            .ok()
            .and_then(|id| self.unlogged.get_mut(id));
        match waiters {
            Some(waiters) => waiters.push(reply),
            // The caller may be gone; the prompt is accepted all the same.
            None => drop(reply.send(accepted)),
        }
    }

    /// Replies to the callers of a prompt that is in the log now.
    pub(super) fn mark_logged(&mut self, message: &ServerMessage) {
        let ServerMessage::Message(message) = message else {
            return;
        };
        for waiter in self.unlogged.remove(&message.id).unwrap_or_default() {
            let _ = waiter.send(Ok(message.id.clone()));
        }
    }

    /// Drops the first prompt: the agent has begun it.
    pub(super) fn drop_first(&mut self) {
        self.waiting.pop_front();
    }

    /// Marks the first prompt as being delivered.
    pub(super) fn begin_delivery(&mut self) {
        self.delivering = self.waiting.pop_front();
    }

    /// Ends the delivery of a prompt.
    pub(super) fn end_delivery(&mut self, id: &str) {
        if self.delivering.as_deref() == Some(id) {
            self.delivering = None;
        }
    }

    /// Queues a prompt before the others, unless it waits or is being delivered.
    pub(super) fn push_first(&mut self, id: String) {
        if self.delivering.as_ref() != Some(&id) && !self.waiting.contains(&id) {
            self.waiting.push_front(id);
        }
    }

    /// Queues these prompts before the others, in their order. One that is being delivered is left out.
    pub(super) fn put_before_others(&mut self, first: Vec<String>) {
        let others = std::mem::take(&mut self.waiting).into_iter();
        let others: Vec<String> = others.filter(|id| !first.contains(id)).collect();
        let delivering = self.delivering.as_ref();
        self.waiting = first
            .into_iter()
            .filter(|id| Some(id) != delivering)
            .collect();
        self.waiting.extend(others);
    }

    /// Removes all prompts that wait, and returns them.
    pub(super) fn take_waiting(&mut self) -> VecDeque<String> {
        std::mem::take(&mut self.waiting)
    }
}
