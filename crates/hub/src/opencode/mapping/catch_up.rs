//! Applies the agent's record, which is read after every connect, since the stream repeats nothing.

use wire::live::LiveErrorCode;

use super::{AgentState, live_event::LiveEvent, message::TrackedMessage};
use crate::opencode::{
    event::AgentEvent,
    shapes::{MessageTime, Role, SessionStatus, StoredMessage},
};

const INTERRUPTED: &str = "The agent was interrupted and does not go on by itself.";

impl AgentState {
    /// Applies the agent's messages, oldest first, and its status. Returns what was missed.
    pub fn apply_record(
        &mut self,
        messages: &[StoredMessage],
        status: &SessionStatus,
    ) -> Vec<LiveEvent> {
        let mut emitted = Vec::new();
        for StoredMessage { info, parts } in messages {
            // The end of a message follows its parts.
            let mut begun = info.clone();
            begun.error = None;
            begun.time = MessageTime {
                completed: None,
                ..info.time
            };
            emitted.extend(self.apply(&AgentEvent::MessageUpdated(Box::new(begun))));
            for part in parts {
                emitted.extend(self.apply(&AgentEvent::PartUpdated(Box::new(part.clone()))));
            }
            emitted.extend(self.apply(&AgentEvent::MessageUpdated(Box::new(info.clone()))));
        }
        match status {
            SessionStatus::Idle => self.apply_idle(messages, &mut emitted),
            other => {
                let status = other.clone();
                let session_id = self.session_id.clone();
                emitted.extend(self.apply(&AgentEvent::Status { session_id, status }));
            }
        }
        emitted
    }

    /// The agent is idle: messages that are not complete were interrupted.
    fn apply_idle(&mut self, messages: &[StoredMessage], emitted: &mut Vec<LiveEvent>) {
        if !self.is_busy {
            return;
        }
        let Some(last) = messages.last() else {
            // The agent does not remember its turn.
            if self.messages.values().any(TrackedMessage::is_open) {
                self.interrupt(emitted);
            }
            return;
        };
        if last.info.role == Role::User {
            emitted.push(LiveEvent::Unanswered {
                message_id: last.info.id.clone(),
            });
            return;
        }
        let is_over = last.info.time.completed.is_some() || last.info.error.is_some();
        let is_last_step = last.info.finish.as_deref() != Some("tool-calls");
        if !(is_over && is_last_step) {
            self.interrupt(emitted);
            return;
        }
        for tracked in self.messages.values_mut() {
            emitted.extend(tracked.end_tools(INTERRUPTED));
        }
        self.go_idle(emitted);
    }

    fn interrupt(&mut self, emitted: &mut Vec<LiveEvent>) {
        for tracked in self.messages.values_mut() {
            emitted.extend(tracked.end_tools(INTERRUPTED));
        }
        emitted.push(LiveEvent::error(INTERRUPTED, LiveErrorCode::Agent, true));
        self.go_idle(emitted);
    }
}
