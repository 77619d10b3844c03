//! One message of the agent, with its parts: what was emitted of it, and what is still to come.

use std::collections::BTreeMap;

use domain::limits::AGENT_PARTS_TRACKED_MAX;
use wire::live::{LiveMessage, MessagePart, MessageRef, MessageRole, ServerMessage};

use super::{live_event::LiveEvent, text::TrackedText, tool::TrackedTool};
use crate::{
    log::LoggedMessage,
    opencode::shapes::{MessageInfo, Part, Role, ToolState},
};

#[derive(Debug, Clone)]
pub(super) struct TrackedMessage {
    role: Role,
    /// The agent completed it; a tool of it may still run.
    pub(super) is_over: bool,
    is_completion_emitted: bool,
    /// What was emitted of it.
    pub(super) bytes: usize,
    parts: BTreeMap<String, TrackedPart>,
}

#[derive(Debug, Clone)]
enum TrackedPart {
    Text(TrackedText),
    Tool(TrackedTool),
    /// All of it was emitted.
    Done,
}

impl TrackedMessage {
    /// Follows a new message, and returns the event that announces it if it is the agent's.
    pub(super) fn new(info: &MessageInfo) -> (Self, Option<LiveEvent>) {
        let tracked = Self {
            role: info.role,
            is_over: false,
            is_completion_emitted: false,
            bytes: 0,
            parts: BTreeMap::new(),
        };
        if info.role == Role::User {
            return (tracked, None);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "milliseconds since 1970 fit"
        )]
        let created_at = info.time.created as i64;
        let stub = LiveMessage {
            id: info.id.clone(),
            role: MessageRole::Assistant,
            content: String::new(),
            is_complete: false,
            created_at,
            sender_id: None,
            source: None,
            prompt_id: info.parent.clone(),
            tool_calls: Vec::new(),
            parts: Vec::new(),
        };
        let stub = LiveEvent::Show(ServerMessage::Message(Box::new(stub)));
        (tracked, Some(stub))
    }

    /// Continues a message that the log has, by its id.
    pub(super) fn from_log(message: LoggedMessage) -> (String, Self) {
        let parts = message.parts.into_iter().map(|logged| {
            let part = match logged.part {
                _ if logged.is_whole || message.is_complete => TrackedPart::Done,
                MessagePart::Text { text } => {
                    TrackedPart::Text(TrackedText::said().continuing(text))
                }
                MessagePart::Thinking { text } => {
                    TrackedPart::Text(TrackedText::thought().continuing(text))
                }
                MessagePart::Tool(call) => TrackedPart::Tool(TrackedTool::from_log(&call)),
                MessagePart::Image { .. } => TrackedPart::Done,
            };
            (logged.id, part)
        });
        let tracked = Self {
            role: Role::Assistant,
            is_over: false,
            is_completion_emitted: message.is_complete,
            bytes: 0,
            parts: parts.collect(),
        };
        (message.id, tracked)
    }

    pub(super) fn is_users(&self) -> bool {
        self.role == Role::User
    }

    /// Whether it is the agent's, and its completion was not emitted.
    pub(super) fn is_open(&self) -> bool {
        !self.is_users() && !self.is_completion_emitted
    }

    /// Whether nothing more is expected of it.
    pub(super) fn is_settled(&self) -> bool {
        self.is_users() || self.is_completion_emitted
    }

    /// Returns the memory of the message and its parts.
    pub(super) fn size(&self) -> usize {
        1 + self.parts.len()
    }

    pub(super) fn running_tools(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.values().filter_map(|part| match part {
            TrackedPart::Tool(tool) if tool.is_running() => Some(tool.name()),
            _ => None,
        })
    }

    pub(super) fn mark_incomplete(&mut self) {
        for part in self.parts.values_mut() {
            if let TrackedPart::Text(text) = part {
                text.mark_incomplete();
            }
        }
    }

    pub(super) fn update_text(
        &mut self,
        part: &Part,
        fresh: TrackedText,
        text: &str,
        is_whole: bool,
        emitted: &mut Vec<LiveEvent>,
    ) {
        let Some(slot) = self.part_mut(&part.id, || TrackedPart::Text(fresh)) else {
            return;
        };
        if let TrackedPart::Text(tracked) = slot {
            emitted.extend(tracked.update(&part.message_id, &part.id, text, is_whole));
            if is_whole {
                *slot = TrackedPart::Done;
            }
        }
    }

    pub(super) fn update_tool(
        &mut self,
        part: &Part,
        fresh: impl FnOnce() -> TrackedTool,
        state: &ToolState,
        emitted: &mut Vec<LiveEvent>,
    ) {
        let Some(slot) = self.part_mut(&part.id, || TrackedPart::Tool(fresh())) else {
            return;
        };
        if let TrackedPart::Tool(tool) = slot {
            let (events, is_over) = tool.update(&part.message_id, &part.id, state);
            emitted.extend(events);
            if is_over {
                *slot = TrackedPart::Done;
            }
        }
    }

    /// Returns `None` once there are too many parts: the rest is in the agent's history alone.
    fn part_mut(
        &mut self,
        part_id: &str,
        fresh: impl FnOnce() -> TrackedPart,
    ) -> Option<&mut TrackedPart> {
        let is_full = self.parts.len() >= AGENT_PARTS_TRACKED_MAX;
        if is_full && !self.parts.contains_key(part_id) {
            tracing::debug!("a message of the agent has too many parts; the rest is not shown");
            return None;
        }
        Some(self.parts.entry(part_id.to_owned()).or_insert_with(fresh))
    }

    pub(super) fn apply_delta(
        &mut self,
        message: &str,
        part: &str,
        delta: &str,
    ) -> Option<LiveEvent> {
        if self.is_users() {
            return None;
        }
        match self.parts.get_mut(part) {
            Some(TrackedPart::Text(text)) => text.grow(message, part, delta),
            Some(TrackedPart::Tool(_) | TrackedPart::Done) => None,
            None => Some(LiveEvent::Refetch),
        }
    }

    /// The model is called again: what was streamed of open texts is void.
    pub(super) fn void(&mut self, message: &str) -> Vec<LiveEvent> {
        let open = self.parts.iter_mut().filter_map(|(id, part)| match part {
            TrackedPart::Text(text) => text.void(message, id),
            _ => None,
        });
        open.collect()
    }

    pub(super) fn remove(&mut self, message: &str, part: &str) -> Option<LiveEvent> {
        let slot = self.part_mut(part, || TrackedPart::Done)?;
        match std::mem::replace(slot, TrackedPart::Done) {
            TrackedPart::Text(mut text) => text.void(message, part),
            TrackedPart::Tool(_) | TrackedPart::Done => None,
        }
    }

    /// Ends the tools that have not ended, with this reason.
    pub(super) fn end_tools(&mut self, reason: &str) -> Vec<LiveEvent> {
        let mut emitted = Vec::new();
        for (id, part) in &mut self.parts {
            if let TrackedPart::Tool(tool) = part {
                emitted.push(tool.end(id, reason));
                *part = TrackedPart::Done;
            }
        }
        emitted
    }

    pub(super) fn complete_if_due(&mut self, id: &str) -> Vec<LiveEvent> {
        if self.is_over && self.running_tools().next().is_none() {
            self.complete(id)
        } else {
            Vec::new()
        }
    }

    /// Emits the completion of the message, once, after the rest of its open texts.
    pub(super) fn complete(&mut self, id: &str) -> Vec<LiveEvent> {
        if !self.is_open() {
            return Vec::new();
        }
        self.is_completion_emitted = true;
        let mut emitted = Vec::new();
        for (part_id, part) in &mut self.parts {
            if let TrackedPart::Text(text) = part {
                emitted.extend(text.close(id, part_id));
                *part = TrackedPart::Done;
            }
        }
        let message_id = id.to_owned();
        emitted.push(LiveEvent::Show(ServerMessage::MessageComplete(
            MessageRef { message_id },
        )));
        emitted
    }
}
