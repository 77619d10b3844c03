//! Live sessions over HTTP: say something to the agent, stop it, watch it.

mod events;
mod look;
mod preview;
mod prompt;
mod socket;
mod start;

pub(crate) use events::*;
pub(crate) use look::*;
pub(crate) use preview::*;
pub(crate) use prompt::*;
pub(crate) use socket::*;
pub(crate) use start::*;

use hub::{house::House, session::HubError};
use wire::problem::Code;

use crate::{error::Failure, state::Gateway};

/// The live sessions of this process.
pub(crate) fn house(gateway: &Gateway) -> Result<&House, Failure> {
    let house = gateway.house.as_ref();
    house.ok_or_else(|| Failure::new(Code::Overloaded, "no session is live on this instance"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn refused(error: HubError) -> Failure {
    let text = error.to_string();
    match error {
        HubError::Over => Failure::new(Code::InvalidState, text),
        HubError::Full => Failure::new(Code::RateLimited, text),
        HubError::KeyTaken => Failure::new(Code::IdempotencyConflict, text),
        HubError::TooLarge => Failure::new(Code::PayloadTooLarge, text),
        HubError::Gone => Failure::new(Code::Overloaded, text),
        HubError::Boot(_) | HubError::Agent(_) => Failure::new(Code::UpstreamUnavailable, text),
    }
}
