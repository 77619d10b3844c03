//! Whether a session is paused because its model budget is spent.

use wire::live::{LiveError, LiveErrorCode, MessageRole, ServerMessage};

/// What the loop knows of the budget.
#[derive(Debug, Default)]
pub(super) struct BudgetPause {
    is_paused: bool,
    /// The gateway refused a model call since the agent was last given a prompt.
    is_cut_off: bool,
}

impl BudgetPause {
    /// Notes a message of the agent.
    pub(super) fn observe(&mut self, message: &ServerMessage) {
        let is_model = |error: &LiveError| error.code == LiveErrorCode::Model;
        self.is_cut_off |= matches!(message, ServerMessage::Error(error) if is_model(error));
    }

    /// Notes a message of the log of an earlier owner: a prompt in it was given to the agent, or waits.
    pub(super) fn replay(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Message(said) if said.role == MessageRole::User => self.reset(),
            other => self.observe(other),
        }
    }

    /// The agent was given a prompt.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    pub(super) fn set_paused(&mut self) {
        self.is_paused = true;
    }

    /// Ends the pause, and returns whether there was one.
    pub(super) fn end_pause(&mut self) -> bool {
        std::mem::take(&mut self.is_paused)
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }
}
