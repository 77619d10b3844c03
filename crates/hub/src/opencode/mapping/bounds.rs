//! Bounds what is kept of one agent. A message that never ends, and messages of which none ends, would otherwise grow without
//! limit.

use domain::limits::{AGENT_MESSAGE_BYTES_MAX, AGENT_OPEN_BYTES_MAX, AGENT_PARTS_TRACKED_MAX};
use wire::live::ServerMessage;

use super::{AgentState, live_event::LiveEvent, message::TrackedMessage};
use crate::{
    opencode::{error::ExceededLimit, event::AgentEvent},
    sandbox_http,
};

impl AgentState {
    /// Counts what an event added, and returns the limit that it exceeds.
    pub(super) fn check_bounds(&mut self, event: &AgentEvent, emitted: &mut Vec<LiveEvent>) {
        let message = match event {
            AgentEvent::MessageUpdated(info) => &info.id,
            AgentEvent::PartUpdated(part) => &part.message_id,
            AgentEvent::PartDelta { message_id, .. } => message_id,
            _ => return,
        };
        let added: usize = emitted.iter().map(emitted_bytes).sum();
        let Some(tracked) = self.messages.get_mut(message) else {
            return;
        };
        tracked.bytes += added;
        self.open_bytes += added;
        if tracked.bytes > AGENT_MESSAGE_BYTES_MAX {
            let excess = ExceededLimit::Message(AGENT_MESSAGE_BYTES_MAX);
            return emitted.push(LiveEvent::Exceeded(excess));
        }
        if self.open_bytes > AGENT_OPEN_BYTES_MAX {
            // Much of a long turn is complete.
            self.settle();
        }
        if self.open_bytes > AGENT_OPEN_BYTES_MAX {
            let excess = ExceededLimit::Open(AGENT_OPEN_BYTES_MAX);
            emitted.push(LiveEvent::Exceeded(excess));
        }
    }

    /// Keeps a long turn within its limit: complete messages are forgotten, and the others may not take more.
    pub(super) fn forget_oldest(&mut self) -> Result<(), ExceededLimit> {
        if self.tracked() < AGENT_PARTS_TRACKED_MAX {
            return Ok(());
        }
        self.settle();
        if self.tracked() < AGENT_PARTS_TRACKED_MAX {
            return Ok(());
        }
        Err(ExceededLimit::Parts(AGENT_PARTS_TRACKED_MAX))
    }

    /// Forgets complete messages, from the oldest on to the first that is not.
    pub(super) fn settle(&mut self) {
        while let Some(oldest) = self.messages.first_entry()
            && oldest.get().is_settled()
        {
            let (id, tracked) = oldest.remove_entry();
            self.open_bytes = self.open_bytes.saturating_sub(tracked.bytes);
            self.settled = Some(id);
        }
    }

    fn tracked(&self) -> usize {
        self.messages.values().map(TrackedMessage::size).sum()
    }
}

/// Returns what clients are shown of it, which is all that is kept.
fn emitted_bytes(emitted: &LiveEvent) -> usize {
    let LiveEvent::Show(message) = emitted else {
        return 0;
    };
    match message {
        ServerMessage::Token(token) | ServerMessage::Thinking(token) => token.token.len(),
        ServerMessage::TextPartComplete(part) | ServerMessage::ThinkingComplete(part) => {
            part.text.len()
        }
        ServerMessage::ToolStart(start) => sandbox_http::value_memory(&start.args),
        ServerMessage::ToolEnd(end) => end.result.len(),
        // Emitted and not kept.
        _ => 0,
    }
}
