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
    message::TrackedMessage,
    prompts::KnownPrompts,
    text::TrackedText,
    tool::TrackedTool,
};
use super::{
    event::AgentEvent,
    id::PromptIds,
    shapes::{AgentFault, MessageInfo, Part, PartKind, SessionInfo, SessionStatus},
};
use crate::log::LoggedMessage;

/// What is known of one session of the agent.
#[derive(Debug, Clone)]
pub struct AgentState {
    session_id: String,
    is_busy: bool,
    /// The agent said that it is idle while a tool ran.
    is_idle_due: bool,
    is_cancel_emitted: bool,
    emitted_error: Option<String>,
    /// The last attempt that was emitted, until the agent works again.
    emitted_retry: Option<u32>,
    title: Option<String>,
    messages: BTreeMap<String, TrackedMessage>,
    /// Bytes that were emitted of them.
    open_bytes: usize,
    /// Messages up to here are over: ids sort by time.
    settled: Option<String>,
    prompts: KnownPrompts,
}

impl AgentState {
    /// Continues from the log. `settled` is the last message that was emitted completely, with all before it; `emitted` is what
    /// was emitted of those after it, perhaps by an earlier owner. None of it is emitted again.
    pub fn new(
        session_id: impl Into<String>,
        settled: Option<String>,
        emitted: Vec<LoggedMessage>,
    ) -> Self {
        let is_open = |message: &LoggedMessage| !message.is_complete;
        let newest = emitted.last().map(|message| message.id.clone());
        Self {
            prompts: KnownPrompts::new(newest.max(settled.clone())),
            session_id: session_id.into(),
            // One that is not at work any more will be found to rest, and its messages to be over.
            is_busy: emitted.iter().any(is_open),
            is_idle_due: false,
            is_cancel_emitted: false,
            emitted_error: None,
            emitted_retry: None,
            title: None,
            messages: emitted.into_iter().map(TrackedMessage::from_log).collect(),
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
        self.messages
            .values()
            .flat_map(TrackedMessage::running_tools)
    }

    /// A prompt is on its way: what the agent says next belongs to it.
    pub fn begin_prompt(&mut self) {
        self.is_busy = true;
        self.is_idle_due = false;
        self.is_cancel_emitted = false;
        self.emitted_error = None;
        self.settle();
    }

    /// The stream broke: pieces of open texts may be missing, so no more are shown until the whole comes.
    pub fn mark_stream_broken(&mut self) {
        self.messages
            .values_mut()
            .for_each(TrackedMessage::mark_incomplete);
    }

    pub fn apply(&mut self, event: &AgentEvent) -> Vec<LiveEvent> {
        let mut emitted = Vec::new();
        match event {
            AgentEvent::MessageUpdated(info) if self.is_ours(&info.session_id) => {
                self.message_updated(info, &mut emitted);
            }
            AgentEvent::PartUpdated(part) if self.is_ours(&part.session_id) => {
                self.part_updated(part, &mut emitted);
            }
            AgentEvent::PartDelta {
                session_id,
                message_id,
                part_id,
                delta,
            } if self.is_ours(session_id) => {
                self.apply_delta(message_id, part_id, delta, &mut emitted);
            }
            AgentEvent::PartRemoved {
                session_id,
                message_id,
                part_id,
            } if self.is_ours(session_id) => {
                if let Some(tracked) = self.messages.get_mut(message_id) {
                    emitted.extend(tracked.remove(message_id, part_id));
                }
            }
            AgentEvent::Status { session_id, status } if self.is_ours(session_id) => {
                self.status(status, &mut emitted);
            }
            AgentEvent::Idle { session_id } if self.is_ours(session_id) => self.idle(&mut emitted),
            AgentEvent::Error { session_id, fault }
                if session_id.as_ref().is_none_or(|id| self.is_ours(id)) =>
            {
                self.error(fault, None, &mut emitted);
            }
            AgentEvent::SessionUpdated(info) if self.is_ours(&info.id) => {
                self.update_title(info, &mut emitted);
            }
            AgentEvent::PermissionAsked(asked) if self.is_ours(&asked.session_id) => {
                emitted.push(LiveEvent::Permission(asked.clone()));
            }
            AgentEvent::Disposed => emitted.push(LiveEvent::Refetch),
            // Of other sessions (those of sub-agents), or nothing to tell.
            _ => {}
        }
        self.check_bounds(event, &mut emitted);
        emitted
    }

    /// The agent is gone for good: whatever was under way ends with this reason.
    pub fn abandon(&mut self, reason: &str) -> Vec<LiveEvent> {
        let mut emitted = Vec::new();
        for (id, tracked) in &mut self.messages {
            emitted.extend(tracked.end_tools(reason));
            emitted.extend(tracked.complete(id));
        }
        if self.is_busy {
            emitted.push(LiveEvent::error(reason, LiveErrorCode::Agent, true));
            self.go_idle(&mut emitted);
        }
        emitted
    }

    fn is_ours(&self, session_id: &str) -> bool {
        session_id == self.session_id
    }

    fn is_settled(&self, message_id: &str) -> bool {
        self.settled
            .as_deref()
            .is_some_and(|settled| message_id <= settled)
    }

    fn part_updated(&mut self, part: &Part, emitted: &mut Vec<LiveEvent>) {
        if self.is_settled(&part.message_id) {
            return;
        }
        let Some(tracked) = self.messages.get_mut(&part.message_id) else {
            emitted.push(LiveEvent::Refetch);
            return;
        };
        if tracked.is_users() {
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
                tracked.update_text(part, TrackedText::said(), text, is_whole, emitted);
            }
            PartKind::Reasoning { text, time } => {
                let is_whole = time.is_some_and(|time| time.end.is_some());
                tracked.update_text(part, TrackedText::thought(), text, is_whole, emitted);
            }
            PartKind::Tool {
                call_id,
                tool,
                state,
            } => tracked.update_tool(part, || TrackedTool::new(call_id, tool), state, emitted),
        }
        emitted.extend(tracked.complete_if_due(&part.message_id));
        if self.is_idle_due && self.running_tools().next().is_none() {
            self.idle(emitted);
        }
    }

    fn apply_delta(
        &mut self,
        message: &str,
        part: &str,
        delta: &str,
        emitted: &mut Vec<LiveEvent>,
    ) {
        if self.is_settled(message) {
            return;
        }
        match self.messages.get_mut(message) {
            Some(tracked) => emitted.extend(tracked.apply_delta(message, part, delta)),
            None => emitted.push(LiveEvent::Refetch),
        }
    }

    fn status(&mut self, status: &SessionStatus, emitted: &mut Vec<LiveEvent>) {
        match status {
            SessionStatus::Idle => self.idle(emitted),
            SessionStatus::Busy => {
                self.emitted_retry = None;
                self.busy(emitted);
            }
            SessionStatus::Retry { attempt, .. } if self.emitted_retry == Some(*attempt) => {}
            SessionStatus::Retry { attempt, message } => {
                self.emitted_retry = Some(*attempt);
                self.busy(emitted);
                for (id, tracked) in &mut self.messages {
                    emitted.extend(tracked.void(id));
                }
                let message = format!(
                    "The model did not answer ({}); trying again, attempt {attempt}.",
                    shown_error(message)
                );
                emitted.push(LiveEvent::Show(ServerMessage::Status(StatusUpdate {
                    status: LiveStatus::Running,
                    is_idle: false,
                    message: Some(message),
                })));
            }
            SessionStatus::Other => {}
        }
    }

    fn busy(&mut self, emitted: &mut Vec<LiveEvent>) {
        self.is_idle_due = false;
        // Said of every step; it is news only after a rest.
        if !self.is_busy {
            self.is_busy = true;
            emitted.push(LiveEvent::Busy);
        }
    }

    fn idle(&mut self, emitted: &mut Vec<LiveEvent>) {
        if !self.is_busy {
            return;
        }
        if self.running_tools().next().is_some() {
            self.is_idle_due = true;
            return;
        }
        self.go_idle(emitted);
    }

    fn go_idle(&mut self, emitted: &mut Vec<LiveEvent>) {
        for (id, tracked) in &mut self.messages {
            emitted.extend(tracked.end_tools("The call was not made."));
            emitted.extend(tracked.complete(id));
        }
        self.is_busy = false;
        self.is_idle_due = false;
        emitted.push(LiveEvent::Idle);
    }

    /// Emits an error once for each prompt, though it comes with the message and on its own.
    fn error(&mut self, fault: &AgentFault, message: Option<&str>, emitted: &mut Vec<LiveEvent>) {
        if fault.is_abort() {
            if !self.is_cancel_emitted {
                self.is_cancel_emitted = true;
                let open = || self.messages.iter().rev().find(|(_, of)| of.is_open());
                let message_id = message
                    .map(ToOwned::to_owned)
                    .or_else(|| open().map(|(id, _)| id.clone()));
                let cancelled = MessageCancelled { message_id };
                emitted.push(LiveEvent::Show(ServerMessage::MessageCancelled(cancelled)));
            }
            return;
        }
        let text = shown_error(fault.message());
        if self.emitted_error.as_ref() == Some(&text) {
            return;
        }
        let code = if fault.is_of_the_model() {
            LiveErrorCode::Model
        } else {
            LiveErrorCode::Agent
        };
        emitted.push(LiveEvent::error(&text, code, fault.is_retryable()));
        self.emitted_error = Some(text);
    }

    fn update_title(&mut self, info: &SessionInfo, emitted: &mut Vec<LiveEvent>) {
        let title = shown_title(&info.title);
        let is_new = self.title.as_ref() != Some(&title);
        // The first title is the one the session was made with.
        if is_new && self.title.is_some() && !info.title.is_empty() {
            emitted.push(LiveEvent::Show(ServerMessage::TitleUpdate(TitleUpdate {
                title: title.clone(),
            })));
        }
        if is_new {
            self.title = Some(title);
        }
    }

    fn message_updated(&mut self, info: &MessageInfo, emitted: &mut Vec<LiveEvent>) {
        self.prompts.note_message(info);
        if self.is_settled(&info.id) {
            return;
        }
        let is_first_sight = !self.messages.contains_key(&info.id);
        if is_first_sight {
            if let Err(excess) = self.forget_oldest() {
                emitted.push(LiveEvent::Exceeded(excess));
                return;
            }
            let (tracked, stub) = TrackedMessage::new(info);
            self.messages.insert(info.id.clone(), tracked);
            emitted.extend(stub);
        }
        if let Some(fault) = &info.error {
            self.error(fault, Some(&info.id), emitted);
        }
        // A slow agent writes down the beginning of a message as it stands by then: over, with its parts still to come.
        if info.time.completed.is_some()
            && !is_first_sight
            && let Some(tracked) = self.messages.get_mut(&info.id)
        {
            tracked.is_over = true;
            emitted.extend(tracked.complete_if_due(&info.id));
        }
    }
}
