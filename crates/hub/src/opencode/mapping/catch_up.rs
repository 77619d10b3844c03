//! Applies the agent's record, which is read after every connect, since the stream repeats nothing.

use wire::live::LiveErrorCode;

use super::{State, live_event::LiveEvent, message::Followed};
use crate::opencode::{
    event::AgentEvent,
    shapes::{MessageTime, Role, SessionStatus, StoredMessage},
};

const INTERRUPTED: &str = "The agent was interrupted and does not go on by itself.";

impl State {
    /// Applies the agent's messages, oldest first, and its status. Returns what was missed.
    pub fn caught_up(
        &mut self,
        messages: &[StoredMessage],
        status: &SessionStatus,
    ) -> Vec<LiveEvent> {
        let mut told = Vec::new();
        for StoredMessage { info, parts } in messages {
            // The end of a message follows its parts.
            let mut begun = info.clone();
            begun.error = None;
            begun.time = MessageTime {
                completed: None,
                ..info.time
            };
            told.extend(self.apply(&AgentEvent::MessageUpdated(Box::new(begun))));
            for part in parts {
                told.extend(self.apply(&AgentEvent::PartUpdated(Box::new(part.clone()))));
            }
            told.extend(self.apply(&AgentEvent::MessageUpdated(Box::new(info.clone()))));
        }
        match status {
            SessionStatus::Idle => self.rest(messages, &mut told),
            other => {
                let status = other.clone();
                let session_id = self.session_id.clone();
                told.extend(self.apply(&AgentEvent::Status { session_id, status }));
            }
        }
        told
    }

    /// The agent is idle: messages that are not complete were interrupted.
    fn rest(&mut self, messages: &[StoredMessage], told: &mut Vec<LiveEvent>) {
        if !self.is_busy {
            return;
        }
        let Some(last) = messages.last() else {
            // The agent does not remember its turn.
            if self.messages.values().any(Followed::is_open) {
                self.interrupted(told);
            }
            return;
        };
        if last.info.role == Role::User {
            told.push(LiveEvent::Unanswered {
                message_id: last.info.id.clone(),
            });
            return;
        }
        let is_over = last.info.time.completed.is_some() || last.info.error.is_some();
        let is_last_step = last.info.finish.as_deref() != Some("tool-calls");
        if !(is_over && is_last_step) {
            self.interrupted(told);
            return;
        }
        for followed in self.messages.values_mut() {
            told.extend(followed.end_tools(INTERRUPTED));
        }
        self.go_idle(told);
    }

    fn interrupted(&mut self, told: &mut Vec<LiveEvent>) {
        for followed in self.messages.values_mut() {
            told.extend(followed.end_tools(INTERRUPTED));
        }
        told.push(LiveEvent::error(INTERRUPTED, LiveErrorCode::Agent, true));
        self.go_idle(told);
    }
}
