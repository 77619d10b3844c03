//! One message of the agent that is followed, with its parts.

use std::collections::BTreeMap;

use domain::limits::AGENT_PARTS_TRACKED_MAX;
use wire::live::{LiveMessage, MessagePart, MessageRef, MessageRole, ServerMessage};

use super::{live_event::LiveEvent, text::Text, tool::Tool};
use crate::{
    log::ToldMessage,
    opencode::shapes::{MessageInfo, Part, Role, ToolState},
};

#[derive(Debug, Clone)]
pub(super) struct Followed {
    role: Role,
    /// The agent completed it; a tool of it may still run.
    pub(super) is_over: bool,
    is_told: bool,
    /// What was emitted of it.
    pub(super) bytes: usize,
    parts: BTreeMap<String, FollowedPart>,
}

#[derive(Debug, Clone)]
enum FollowedPart {
    Text(Text),
    Tool(Tool),
    /// All of it was emitted.
    Done,
}

impl Followed {
    /// Follows a new message, and returns the event that announces it if it is the agent's.
    pub(super) fn new(info: &MessageInfo) -> (Self, Option<LiveEvent>) {
        let followed = Self {
            role: info.role,
            is_over: false,
            is_told: false,
            bytes: 0,
            parts: BTreeMap::new(),
        };
        if info.role == Role::User {
            return (followed, None);
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
        (followed, Some(stub))
    }

    /// Continues a message that the log has, by its id.
    pub(super) fn recalled(message: ToldMessage) -> (String, Self) {
        let parts = message.parts.into_iter().map(|told| {
            let part = match told.part {
                _ if told.is_whole || message.is_complete => FollowedPart::Done,
                MessagePart::Text { text } => FollowedPart::Text(Text::said().recalled(text)),
                MessagePart::Thinking { text } => {
                    FollowedPart::Text(Text::thought().recalled(text))
                }
                MessagePart::Tool(call) => FollowedPart::Tool(Tool::recalled(&call)),
                MessagePart::Image { .. } => FollowedPart::Done,
            };
            (told.id, part)
        });
        let followed = Self {
            role: Role::Assistant,
            is_over: false,
            is_told: message.is_complete,
            bytes: 0,
            parts: parts.collect(),
        };
        (message.id, followed)
    }

    pub(super) fn is_users(&self) -> bool {
        self.role == Role::User
    }

    /// Whether it is the agent's, and its completion was not emitted.
    pub(super) fn is_open(&self) -> bool {
        !self.is_users() && !self.is_told
    }

    /// Whether nothing more is expected of it.
    pub(super) fn is_settled(&self) -> bool {
        self.is_users() || self.is_told
    }

    /// Returns the memory of the message and its parts.
    pub(super) fn size(&self) -> usize {
        1 + self.parts.len()
    }

    pub(super) fn running_tools(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.values().filter_map(|part| match part {
            FollowedPart::Tool(tool) if tool.is_running() => Some(tool.name()),
            _ => None,
        })
    }

    pub(super) fn tear(&mut self) {
        for part in self.parts.values_mut() {
            if let FollowedPart::Text(text) = part {
                text.tear();
            }
        }
    }

    pub(super) fn text(
        &mut self,
        part: &Part,
        fresh: Text,
        text: &str,
        is_whole: bool,
        told: &mut Vec<LiveEvent>,
    ) {
        let Some(place) = self.place(&part.id, || FollowedPart::Text(fresh)) else {
            return;
        };
        if let FollowedPart::Text(followed) = place {
            told.extend(followed.update(&part.message_id, &part.id, text, is_whole));
            if is_whole {
                *place = FollowedPart::Done;
            }
        }
    }

    pub(super) fn tool(
        &mut self,
        part: &Part,
        fresh: impl FnOnce() -> Tool,
        state: &ToolState,
        told: &mut Vec<LiveEvent>,
    ) {
        let Some(place) = self.place(&part.id, || FollowedPart::Tool(fresh())) else {
            return;
        };
        if let FollowedPart::Tool(tool) = place {
            let (events, is_over) = tool.update(&part.message_id, &part.id, state);
            told.extend(events);
            if is_over {
                *place = FollowedPart::Done;
            }
        }
    }

    /// Returns `None` once there are too many parts: the rest is in the agent's history alone.
    fn place(
        &mut self,
        part_id: &str,
        fresh: impl FnOnce() -> FollowedPart,
    ) -> Option<&mut FollowedPart> {
        let is_full = self.parts.len() >= AGENT_PARTS_TRACKED_MAX;
        if is_full && !self.parts.contains_key(part_id) {
            tracing::debug!("a message of the agent has too many parts; the rest is not shown");
            return None;
        }
        Some(self.parts.entry(part_id.to_owned()).or_insert_with(fresh))
    }

    pub(super) fn delta(&mut self, message: &str, part: &str, delta: &str) -> Option<LiveEvent> {
        if self.is_users() {
            return None;
        }
        match self.parts.get_mut(part) {
            Some(FollowedPart::Text(text)) => text.grow(message, part, delta),
            Some(FollowedPart::Tool(_) | FollowedPart::Done) => None,
            None => Some(LiveEvent::Refetch),
        }
    }

    /// The model is called again: what was streamed of open texts is void.
    pub(super) fn void(&mut self, message: &str) -> Vec<LiveEvent> {
        let open = self.parts.iter_mut().filter_map(|(id, part)| match part {
            FollowedPart::Text(text) => text.void(message, id),
            _ => None,
        });
        open.collect()
    }

    pub(super) fn remove(&mut self, message: &str, part: &str) -> Option<LiveEvent> {
        let place = self.place(part, || FollowedPart::Done)?;
        match std::mem::replace(place, FollowedPart::Done) {
            FollowedPart::Text(mut text) => text.void(message, part),
            FollowedPart::Tool(_) | FollowedPart::Done => None,
        }
    }

    /// Ends the tools that have not ended, with this reason.
    pub(super) fn end_tools(&mut self, reason: &str) -> Vec<LiveEvent> {
        let mut told = Vec::new();
        for (id, part) in &mut self.parts {
            if let FollowedPart::Tool(tool) = part {
                told.push(tool.end(id, reason));
                *part = FollowedPart::Done;
            }
        }
        told
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
        self.is_told = true;
        let mut told = Vec::new();
        for (part_id, part) in &mut self.parts {
            if let FollowedPart::Text(text) = part {
                told.extend(text.close(id, part_id));
                *part = FollowedPart::Done;
            }
        }
        let message_id = id.to_owned();
        told.push(LiveEvent::Show(ServerMessage::MessageComplete(
            MessageRef { message_id },
        )));
        told
    }
}
