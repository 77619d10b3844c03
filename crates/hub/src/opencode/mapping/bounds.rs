//! Bounds what is kept of one agent. A message that never ends, and messages of which none ends, would otherwise grow without
//! limit.

use domain::limits::{AGENT_MESSAGE_BYTES_MAX, AGENT_OPEN_BYTES_MAX, AGENT_PARTS_TRACKED_MAX};
use wire::live::ServerMessage;

use super::{State, live_event::LiveEvent, message::Followed};
use crate::{
    opencode::{error::Excess, event::AgentEvent},
    sandbox_http,
};

impl State {
    /// Counts what an event added, and returns the limit that it exceeds.
    pub(super) fn bound(&mut self, event: &AgentEvent, told: &mut Vec<LiveEvent>) {
        let message = match event {
            AgentEvent::MessageUpdated(info) => &info.id,
            AgentEvent::PartUpdated(part) => &part.message_id,
            AgentEvent::PartDelta { message_id, .. } => message_id,
            _ => return,
        };
        let added: usize = told.iter().map(told_bytes).sum();
        let Some(followed) = self.messages.get_mut(message) else {
            return;
        };
        followed.bytes += added;
        self.open_bytes += added;
        if followed.bytes > AGENT_MESSAGE_BYTES_MAX {
            let excess = Excess::Message(AGENT_MESSAGE_BYTES_MAX);
            return told.push(LiveEvent::Exceeded(excess));
        }
        if self.open_bytes > AGENT_OPEN_BYTES_MAX {
            // Much of a long turn is complete.
            self.settle();
        }
        if self.open_bytes > AGENT_OPEN_BYTES_MAX {
            let excess = Excess::Open(AGENT_OPEN_BYTES_MAX);
            told.push(LiveEvent::Exceeded(excess));
        }
    }

    /// Keeps a long turn within its limit: complete messages are forgotten, and the others may not take more.
    pub(super) fn forget_oldest(&mut self) -> Result<(), Excess> {
        if self.tracked() < AGENT_PARTS_TRACKED_MAX {
            return Ok(());
        }
        self.settle();
        if self.tracked() < AGENT_PARTS_TRACKED_MAX {
            return Ok(());
        }
        Err(Excess::Parts(AGENT_PARTS_TRACKED_MAX))
    }

    /// Forgets complete messages, from the oldest on to the first that is not.
    pub(super) fn settle(&mut self) {
        while let Some(oldest) = self.messages.first_entry()
            && oldest.get().is_settled()
        {
            let (id, followed) = oldest.remove_entry();
            self.open_bytes = self.open_bytes.saturating_sub(followed.bytes);
            self.settled = Some(id);
        }
    }

    fn tracked(&self) -> usize {
        self.messages.values().map(Followed::size).sum()
    }
}

/// Returns what clients are shown of it, which is all that is kept.
fn told_bytes(told: &LiveEvent) -> usize {
    let LiveEvent::Show(message) = told else {
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
