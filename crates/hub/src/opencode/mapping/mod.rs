//! Maps the agent's events to live messages. Pure: the same events in the same order give the same output, and an event that
//! comes twice, or late, changes nothing.
//!
//! The agent's idle event is no barrier: after an abort or an error it comes twice, with other events in between. It is emitted
//! once for each time the agent was busy, and not while a tool runs.

mod bounds;
mod catch_up;
mod live_event;
mod message;
mod prompts;
#[cfg(test)]
mod tests;
mod text;
mod tool;

use std::collections::BTreeMap;

use wire::live::{
    LiveErrorCode, LiveStatus, MessageCancelled, ServerMessage, StatusUpdate, TitleUpdate,
};

pub use self::live_event::LiveEvent;
use self::{
    live_event::{shown_error, shown_title},
    message::Followed,
    prompts::Prompts,
    text::Text,
    tool::Tool,
};
use super::{
    event::AgentEvent,
    id::PromptIds,
    shapes::{AgentFault, MessageInfo, Part, PartKind, SessionInfo, SessionStatus},
};
use crate::log::ToldMessage;

/// What is known of one session of the agent.
#[derive(Debug, Clone)]
pub struct State {
    session_id: String,
    is_busy: bool,
    /// The agent said that it is idle while a tool ran.
    is_idle_due: bool,
    is_cancel_told: bool,
    error_told: Option<String>,
    /// The last attempt that was emitted, until the agent works again.
    retry_told: Option<u32>,
    title: Option<String>,
    messages: BTreeMap<String, Followed>,
    /// Bytes that were emitted of them.
    open_bytes: usize,
    /// Messages up to here are over: ids sort by time.
    settled: Option<String>,
    prompts: Prompts,
}

impl State {
    /// Continues from the log. `settled` is the last message that was emitted completely, with all before it; `told` is what
    /// was emitted of those after it, perhaps by an earlier owner. None of it is emitted again.
    pub fn new(
        session_id: impl Into<String>,
        settled: Option<String>,
        told: Vec<ToldMessage>,
    ) -> Self {
        let is_open = |message: &ToldMessage| !message.is_complete;
        let newest = told.last().map(|message| message.id.clone());
        Self {
            prompts: Prompts::new(newest.max(settled.clone())),
            session_id: session_id.into(),
            // One that is not at work any more will be found to rest, and its messages to be over.
            is_busy: told.iter().any(is_open),
            is_idle_due: false,
            is_cancel_told: false,
            error_told: None,
            retry_told: None,
            title: None,
            messages: told.into_iter().map(Followed::recalled).collect(),
            open_bytes: 0,
            settled,
        }
    }

    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// The newest message that the agent is known to have.
    pub fn last_message(&self) -> Option<&str> {
        let newest = self.messages.keys().next_back();
        newest.or(self.settled.as_ref()).map(String::as_str)
    }

    /// The ids to give a prompt under.
    pub fn ids_for(&mut self, prompt: &str) -> PromptIds {
        let newest = self.last_message().map(ToOwned::to_owned);
        self.prompts.ids_for(prompt, newest.as_deref())
    }

    /// Whether the agent has begun to answer a prompt.
    pub fn has_begun(&self, prompt: &str) -> bool {
        self.prompts.has_begun(prompt)
    }

    /// Whether the agent takes a prompt for answered that it has not answered.
    pub fn is_passed_over(&self, prompt: &str) -> bool {
        self.prompts.is_passed_over(prompt)
    }

    /// Messages up to here need not be read again.
    pub fn settled(&self) -> Option<&str> {
        self.settled.as_deref()
    }

    /// Calls under way, with the names of their tools.
    pub fn running_tools(&self) -> impl Iterator<Item = (&str, &str)> {
        self.messages.values().flat_map(Followed::running_tools)
    }

    /// A prompt is on its way: what the agent says next belongs to it.
    pub fn prompted(&mut self) {
        self.is_busy = true;
        self.is_idle_due = false;
        self.is_cancel_told = false;
        self.error_told = None;
        self.settle();
    }

    /// The stream broke: pieces of open texts may be missing, so no more are shown until the whole comes.
    pub fn torn(&mut self) {
        self.messages.values_mut().for_each(Followed::tear);
    }

    pub fn apply(&mut self, event: &AgentEvent) -> Vec<LiveEvent> {
        let mut told = Vec::new();
        match event {
            AgentEvent::MessageUpdated(info) if self.is_ours(&info.session_id) => {
                self.message_updated(info, &mut told);
            }
            AgentEvent::PartUpdated(part) if self.is_ours(&part.session_id) => {
                self.part_updated(part, &mut told);
            }
            AgentEvent::PartDelta {
                session_id,
                message_id,
                part_id,
                delta,
            } if self.is_ours(session_id) => self.delta(message_id, part_id, delta, &mut told),
            AgentEvent::PartRemoved {
                session_id,
                message_id,
                part_id,
            } if self.is_ours(session_id) => {
                if let Some(followed) = self.messages.get_mut(message_id) {
                    told.extend(followed.remove(message_id, part_id));
                }
            }
            AgentEvent::Status { session_id, status } if self.is_ours(session_id) => {
                self.status(status, &mut told);
            }
            AgentEvent::Idle { session_id } if self.is_ours(session_id) => self.idle(&mut told),
            AgentEvent::Error { session_id, fault }
                if session_id.as_ref().is_none_or(|id| self.is_ours(id)) =>
            {
                self.error(fault, None, &mut told);
            }
            AgentEvent::SessionUpdated(info) if self.is_ours(&info.id) => {
                self.titled(info, &mut told);
            }
            AgentEvent::PermissionAsked(asked) if self.is_ours(&asked.session_id) => {
                told.push(LiveEvent::Permission(asked.clone()));
            }
            AgentEvent::Disposed => told.push(LiveEvent::Refetch),
            // Of other sessions (those of sub-agents), or nothing to tell.
            _ => {}
        }
        self.bound(event, &mut told);
        told
    }

    /// The agent is gone for good: whatever was under way ends with this reason.
    pub fn abandon(&mut self, reason: &str) -> Vec<LiveEvent> {
        let mut told = Vec::new();
        for (id, followed) in &mut self.messages {
            told.extend(followed.end_tools(reason));
            told.extend(followed.complete(id));
        }
        if self.is_busy {
            told.push(LiveEvent::error(reason, LiveErrorCode::Agent, true));
            self.go_idle(&mut told);
        }
        told
    }

    fn is_ours(&self, session_id: &str) -> bool {
        session_id == self.session_id
    }

    fn is_settled(&self, message_id: &str) -> bool {
        self.settled
            .as_deref()
            .is_some_and(|settled| message_id <= settled)
    }

    fn part_updated(&mut self, part: &Part, told: &mut Vec<LiveEvent>) {
        if self.is_settled(&part.message_id) {
            return;
        }
        let Some(followed) = self.messages.get_mut(&part.message_id) else {
            told.push(LiveEvent::Refetch);
            return;
        };
        if followed.is_users() {
            return;
        }
        match &part.kind {
            PartKind::Text {
                synthetic: true, ..
            }
            | PartKind::Text { ignored: true, .. }
            | PartKind::Other => return,
            PartKind::Text { text, time, .. } => {
                let is_whole = time.is_some_and(|time| time.end.is_some());
                followed.text(part, Text::said(), text, is_whole, told);
            }
            PartKind::Reasoning { text, time } => {
                let is_whole = time.is_some_and(|time| time.end.is_some());
                followed.text(part, Text::thought(), text, is_whole, told);
            }
            PartKind::Tool {
                call_id,
                tool,
                state,
            } => followed.tool(part, || Tool::new(call_id, tool), state, told),
        }
        told.extend(followed.complete_if_due(&part.message_id));
        if self.is_idle_due && self.running_tools().next().is_none() {
            self.idle(told);
        }
    }

    fn delta(&mut self, message: &str, part: &str, delta: &str, told: &mut Vec<LiveEvent>) {
        if self.is_settled(message) {
            return;
        }
        match self.messages.get_mut(message) {
            Some(followed) => told.extend(followed.delta(message, part, delta)),
            None => told.push(LiveEvent::Refetch),
        }
    }

    fn status(&mut self, status: &SessionStatus, told: &mut Vec<LiveEvent>) {
        match status {
            SessionStatus::Idle => self.idle(told),
            SessionStatus::Busy => {
                self.retry_told = None;
                self.busy(told);
            }
            SessionStatus::Retry { attempt, .. } if self.retry_told == Some(*attempt) => {}
            SessionStatus::Retry { attempt, message } => {
                self.retry_told = Some(*attempt);
                self.busy(told);
                for (id, followed) in &mut self.messages {
                    told.extend(followed.void(id));
                }
                let message = format!(
                    "The model did not answer ({}); trying again, attempt {attempt}.",
                    shown_error(message)
                );
                told.push(LiveEvent::Show(ServerMessage::Status(StatusUpdate {
                    status: LiveStatus::Running,
                    is_idle: false,
                    message: Some(message),
                })));
            }
            SessionStatus::Other => {}
        }
    }

    fn busy(&mut self, told: &mut Vec<LiveEvent>) {
        self.is_idle_due = false;
        // Said of every step; it is news only after a rest.
        if !self.is_busy {
            self.is_busy = true;
            told.push(LiveEvent::Busy);
        }
    }

    fn idle(&mut self, told: &mut Vec<LiveEvent>) {
        if !self.is_busy {
            return;
        }
        if self.running_tools().next().is_some() {
            self.is_idle_due = true;
            return;
        }
        self.go_idle(told);
    }

    fn go_idle(&mut self, told: &mut Vec<LiveEvent>) {
        for (id, followed) in &mut self.messages {
            told.extend(followed.end_tools("The call was not made."));
            told.extend(followed.complete(id));
        }
        self.is_busy = false;
        self.is_idle_due = false;
        told.push(LiveEvent::Idle);
    }

    /// Emits an error once for each prompt, though it comes with the message and on its own.
    fn error(&mut self, fault: &AgentFault, message: Option<&str>, told: &mut Vec<LiveEvent>) {
        if fault.is_abort() {
            if !self.is_cancel_told {
                self.is_cancel_told = true;
                let open = || self.messages.iter().rev().find(|(_, of)| of.is_open());
                let message_id = message
                    .map(ToOwned::to_owned)
                    .or_else(|| open().map(|(id, _)| id.clone()));
                let cancelled = MessageCancelled { message_id };
                told.push(LiveEvent::Show(ServerMessage::MessageCancelled(cancelled)));
            }
            return;
        }
        let text = shown_error(fault.message());
        if self.error_told.as_ref() == Some(&text) {
            return;
        }
        let code = if fault.is_of_the_model() {
            LiveErrorCode::Model
        } else {
            LiveErrorCode::Agent
        };
        told.push(LiveEvent::error(&text, code, fault.is_retryable()));
        self.error_told = Some(text);
    }

    fn titled(&mut self, info: &SessionInfo, told: &mut Vec<LiveEvent>) {
        let title = shown_title(&info.title);
        let is_new = self.title.as_ref() != Some(&title);
        // The first title is the one the session was made with.
        if is_new && self.title.is_some() && !info.title.is_empty() {
            told.push(LiveEvent::Show(ServerMessage::TitleUpdate(TitleUpdate {
                title: title.clone(),
            })));
        }
        if is_new {
            self.title = Some(title);
        }
    }

    fn message_updated(&mut self, info: &MessageInfo, told: &mut Vec<LiveEvent>) {
        self.prompts.heard(info);
        if self.is_settled(&info.id) {
            return;
        }
        let is_first_sight = !self.messages.contains_key(&info.id);
        if is_first_sight {
            if let Err(excess) = self.forget_oldest() {
                told.push(LiveEvent::Exceeded(excess));
                return;
            }
            let (followed, stub) = Followed::new(info);
            self.messages.insert(info.id.clone(), followed);
            told.extend(stub);
        }
        if let Some(fault) = &info.error {
            self.error(fault, Some(&info.id), told);
        }
        // A slow agent writes down the beginning of a message as it stands by then: over, with its parts still to come.
        if info.time.completed.is_some()
            && !is_first_sight
            && let Some(followed) = self.messages.get_mut(&info.id)
        {
            followed.is_over = true;
            told.extend(followed.complete_if_due(&info.id));
        }
    }
}
