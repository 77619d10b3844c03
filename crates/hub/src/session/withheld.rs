//! A session that may not go on for now, because what it may spend is spent. It is paused with that reason, what is said to
//! it waits, and it goes on when it may: with what waits, or where its agent was cut off.

use std::sync::Arc;

use wire::live::{LiveError, LiveErrorCode, MessageRole, ServerMessage};

use super::{handle::Input, phase::Phase, ports::BootError, service::Service};

/// Said to an agent whose model refused it in the middle of its work.
const GO_ON: &str = "The budget was raised. Go on where you stopped.";
const MAY_GO_ON: &str = "The budget was raised; the session goes on when something is said to it.";

/// What is known of it.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// It was paused for it.
    is_paused: bool,
    /// The model refused the agent since it was last given a prompt.
    is_cut_off: bool,
}

impl Withheld {
    pub(super) fn saw(&mut self, message: &ServerMessage) {
        let is_model = |error: &LiveError| error.code == LiveErrorCode::Model;
        self.is_cut_off |= matches!(message, ServerMessage::Error(error) if is_model(error));
    }

    /// The same from the log of whoever had the session before: what was said was given to the agent, or waits.
    pub(super) fn recall(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Message(said) if said.role == MessageRole::User => self.prompted(),
            other => self.saw(other),
        }
    }

    /// Something was given to the agent.
    pub(super) fn prompted(&mut self) {
        *self = Self::default();
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }
}

impl Service {
    /// After a turn of the agent: whether there may be another.
    pub(super) fn ask_withheld(&mut self) {
        let (runtime, generation) = (Arc::clone(&self.ports.runtime), self.generation);
        self.spawn_aside(move |inbox| async move {
            if let Some(why) = runtime.withheld().await {
                let _ = inbox.send(Input::Withheld(generation, why)).await;
            }
        });
    }

    /// It may not: the session is paused, and its sandbox put away.
    pub(super) fn withhold(&mut self, generation: u64, why: String) {
        let is_current = generation == self.generation && matches!(self.phase, Phase::Running(_));
        // The end of the turn that has begun meanwhile asks again.
        if !is_current || self.is_busy() || self.delivering.is_some() {
            return;
        }
        self.paused_for(why);
        let runtime = Arc::clone(&self.ports.runtime);
        self.spawn(move |_| async move { runtime.rest().await });
    }

    /// A boot was refused for it. What waits stays where it is.
    pub(super) fn boot_withheld(&mut self, error: &BootError) {
        self.paused_for(error.message.clone());
    }

    fn paused_for(&mut self, why: String) {
        self.phase = Phase::Cold { why: None };
        self.withheld.is_paused = true;
        self.tell_status(Some(why));
    }

    /// It may go on, after it might not. One that comes from its rest was paused, perhaps by another owner.
    pub(super) fn go_on(&mut self, is_from_rest: bool) {
        let is_paused = std::mem::take(&mut self.withheld.is_paused);
        let is_cold = matches!(self.phase, Phase::Cold { .. } | Phase::Retrying(_));
        if !is_cold || !(is_paused || is_from_rest) {
            return;
        }
        if !self.waiting.is_empty() || matches!(self.phase, Phase::Retrying(_)) {
            self.boot();
        } else if self.withheld.is_cut_off {
            self.prompt_again(GO_ON);
        } else if is_paused {
            self.tell_status(Some(MAY_GO_ON.to_owned()));
        }
    }
}
