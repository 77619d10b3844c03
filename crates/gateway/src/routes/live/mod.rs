//! Live sessions over HTTP: send prompts, cancel, and watch.

mod events;
mod preview;
mod preview_head;
mod preview_ticket;
mod prompt;
mod socket;
mod start;

pub(crate) use events::*;
pub(crate) use preview::*;
pub(crate) use preview_head::is_preview_look;
pub(crate) use preview_ticket::*;
pub(crate) use prompt::*;
pub(crate) use socket::*;
pub(crate) use start::*;

use hub::{
    Hub, SandboxCallError,
    session::{BootErrorCause, HubError},
};
use wire::problem::Code;

use crate::{error::Failure, state::Gateway};

/// The live sessions of this process.
pub(crate) fn hub(gateway: &Gateway) -> Result<&Hub, Failure> {
    let hub = gateway.hub.as_ref();
    hub.ok_or_else(|| Failure::new(Code::Overloaded, "no session is live on this instance"))
}

pub(crate) fn hub_failure(error: HubError) -> Failure {
    let text = error.to_string();
    match error {
        HubError::Over => Failure::new(Code::InvalidState, text),
        HubError::Full | HubError::MovingFull => Failure::new(Code::RateLimited, text),
        HubError::Migrating | HubError::NotUp => Failure::new(Code::Conflict, text),
        HubError::KeyTaken => Failure::new(Code::IdempotencyConflict, text),
        HubError::TooLarge => Failure::new(Code::PayloadTooLarge, text),
        HubError::Gone => Failure::new(Code::Overloaded, text),
        HubError::Boot(boot) => Failure::new(
            match boot.cause {
                BootErrorCause::OverBudget => Code::InvalidState,
                BootErrorCause::LimitReached => Code::LimitReached,
                BootErrorCause::AdmissionDenied => Code::AdmissionDenied,
                BootErrorCause::Failed => Code::UpstreamUnavailable,
            },
            text,
        ),
        HubError::Agent(_) => Failure::new(Code::UpstreamUnavailable, text),
    }
}

pub(super) fn sandbox_call_failure(error: SandboxCallError) -> Failure {
    match error {
        SandboxCallError::App(error) => error.into(),
        SandboxCallError::Hub(error) => hub_failure(error),
    }
}
